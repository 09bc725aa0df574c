"""Which code one row's training or evaluation runs, and in which version."""

from pathlib import Path

from stages.closure import closure, code_hash
from stages.settings.training import VariantModel

MODELS, TERMS = "fairseq_plugins.models", "fairseq_plugins.terms"


def fingerprint(entry: str, model: VariantModel, root: Path = Path()) -> list[str]:
    """Lines ``path sha256``: the code that ``entry`` runs for a variant.

    A system of ours adds its model file, a combination its terms; fairseq's own architectures add nothing.
    """
    entries = [entry]
    if (root / Path(*MODELS.split(".")) / f"{model.arch}.py").is_file():
        entries.append(f"{MODELS}.{model.arch}")
    entries += [f"{TERMS}.{term}" for term in model.terms or ()]
    return [f"{file.as_posix()} {code_hash(root / file)}" for file in closure(entries, root)]
