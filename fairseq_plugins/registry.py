"""Which architectures and criterions of this study fairseq knows: those whose module has been imported.

A module of `fairseq_plugins.models` is named as its `--arch` and registers itself with fairseq when it is imported; so
does one of `fairseq_plugins.criterions`, named as its `--criterion`. Training imports the one it needs and no other,
so that an edit to one variant leaves the others as they are.
"""

import difflib
import importlib
import importlib.util
import pkgutil

__all__ = ["UnknownNameError", "names", "register", "register_all", "register_criterion"]

MODELS = "fairseq_plugins.models"
CRITERIONS = "fairseq_plugins.criterions"


class UnknownNameError(ValueError):
    """An architecture or criterion that neither this project nor fairseq has."""


def names() -> list[str]:
    """The architectures of this project, sorted. Imports none of them."""
    return _modules(MODELS)


def register(arch: str) -> None:
    """Make `--arch <arch>` known to fairseq, whose own names pass through. Raises UnknownNameError for any other."""
    from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

    from fairseq.models import ARCH_MODEL_REGISTRY

    _register("architecture", MODELS, arch, list(ARCH_MODEL_REGISTRY))


def register_criterion(criterion: str) -> None:
    """Make `--criterion <criterion>` known to fairseq, whose own names pass through. Raises UnknownNameError."""
    from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

    from fairseq.criterions import CRITERION_REGISTRY

    _register("criterion", CRITERIONS, criterion, list(CRITERION_REGISTRY))


def register_all() -> None:
    """Make every architecture and criterion of this project known to fairseq."""
    from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

    for package in (MODELS, CRITERIONS):
        for name in _modules(package):
            importlib.import_module(f"{package}.{name}")


def _register(kind: str, package: str, name: str, of_fairseq: list[str]) -> None:
    ours = _modules(package)
    if name in ours:
        importlib.import_module(f"{package}.{name}")
    elif name not in of_fairseq:
        near = difflib.get_close_matches(name, list(dict.fromkeys(ours + of_fairseq)))
        there = f"the nearest names are: {', '.join(near)}" if near else f"there are: {', '.join(ours + of_fairseq)}"
        raise UnknownNameError(f"There is no {kind} {name!r}; {there}.")


def _modules(package: str) -> list[str]:
    """The public modules of `package`, sorted; none when the package does not exist."""
    spec = importlib.util.find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    return sorted(found.name for found in pkgutil.iter_modules(folders or ()) if not found.name.startswith("_"))
