"""Whether the options of a model are those of its architecture: of one of fairseq's own those that are of the model,
and not of everything else that fairseq runs."""

import argparse
from collections.abc import Collection

from stages.settings.names import shown
from stages.settings.variants import VariantModel

from fairseq.models import ARCH_MODEL_REGISTRY

FILES = ("_path", "_dir", "_file", "_checkpoint", "_model")


def check_known(model: VariantModel, known: Collection[str]) -> None:
    """Raise ValueError if an option is none of these, which its architecture has."""
    if unknown := sorted(model.options().keys() - known):
        raise ValueError(f"{model.arch} has no option {', '.join(unknown)}; it has: {', '.join(sorted(known))}")


def check_own_options(model: VariantModel) -> None:
    """Hold the options against those that the architecture declares itself.

    fairseq's parser knows hundreds more, which would change what is trained where no other setting says so, or import
    a folder of code (``--user-dir``). Nor does an option name a file: no stage depends on that one.

    Raises:
        ValueError: naming the option, and what there is.
    """
    if model.terms is not None:
        raise ValueError("only a combination (arch: attnmt) takes `terms`")
    known = _own(model.arch)
    check_known(model, known)
    for name, value in model.options().items():
        if isinstance(value, bool) != known[name]:
            wanted = "true or false" if known[name] else "a number or a word"
            raise ValueError(f"{name} is {shown(value)}; write {wanted}")


def _own(arch: str) -> dict[str, bool]:
    """Option -> whether it is a switch."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    ARCH_MODEL_REGISTRY[arch].add_args(parser)
    flags = {flag: action.nargs == 0 for action in parser._actions for flag in action.option_strings}
    written = {flag.removeprefix("--").replace("-", "_"): switch for flag, switch in flags.items()}
    return {name: switch for name, switch in written.items() if not name.endswith(FILES)}
