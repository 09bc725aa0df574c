"""Which code a row's stage runs, and in which version."""

import hashlib
from pathlib import Path

from stages.pipeline.imports import closure, code_hash
from stages.settings.training import VariantModel

MODELS, TERMS = "fairseq_plugins.models", "fairseq_plugins.terms"


def fingerprint(entry: str, model: VariantModel | None, root: Path = Path()) -> list[str]:
    """Lines ``path sha256``: the code that ``entry`` runs, with that of ``model`` if it builds one.

    A system of ours adds its model file, a combination its terms; fairseq's own architectures add nothing.
    """
    if model is None:
        return _lines([entry], root)
    entries = [entry]
    if (root / Path(*MODELS.split(".")) / f"{model.arch}.py").is_file():
        entries.append(f"{MODELS}.{model.arch}")
    entries += [f"{TERMS}.{term}" for term in model.terms or ()]
    return _lines(entries, root)


def _lines(entries: list[str], root: Path) -> list[str]:
    files = closure(entries, root)
    lines = {file: code_hash(root / file) for file in files}
    for package in (file.parent for file in files if file.name == "__init__.py"):
        for path in (root / package / "cpp").glob("*"):  # a package's C++ counts with it, comments and all
            lines[path.relative_to(root)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return [f"{file.as_posix()} {lines[file]}" for file in sorted(lines)]
