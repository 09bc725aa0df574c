"""The definitions of systems: the section `variants` of params.yaml.

Training reads its settings here and not by way of the study, so that it depends on little code.
"""

from typing import Any

from stages.settings.params import Name, Settings, find, read, validate
from stages.settings.training import Training


class VariantModel(Settings, extra="allow"):
    """``variants.<name>.model``: the architecture, its terms when it is a combination, and any of its own options."""

    arch: str
    terms: list[str] | None = None

    def options(self) -> dict[str, Any]:
        """The options beyond ``arch`` and ``terms``, in the order of the file."""
        return dict(self.model_extra or {})


class Variant(Settings):
    """``variants.<name>``: a system, i.e. a row of the report."""

    title: str
    model: VariantModel
    training: dict[str, Any]


Variants = dict[Name, Variant]


def variant(name: str) -> Variant:
    """The definition of one variant.

    Raises:
        InputError: params.yaml has no such variant, or it is wrong.
    """
    return validate(find(read(), f"variants.{name}"), Variant, f"variants.{name}")


def training_settings(corpus: str, name: str) -> Training:
    """``corpora.<corpus>.training`` with what the variant's own ``training`` overrides.

    Raises:
        InputError: an unknown or missing key, or an unknown corpus or variant.
    """
    base, own = find(read(), f"corpora.{corpus}.training"), find(read(), f"variants.{name}.training")
    return validate({**base, **own}, Training, f"variants.{name}.training over corpora.{corpus}.training")
