"""In words, what systems that share trained models do otherwise, and what dev chose for them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from stages.files.records import read_record
from stages.files.run_directory import RunDirectory
from stages.releasing.translations import CONTROL
from stages.settings.training import DecodingControl

SIGNS = {"alpha": "α", "beta": "β"}


def other_decoding(decoded: Mapping[str, DecodingControl], bases: Mapping[str, str]) -> dict[str, str]:
    """`other_decoding` of a recipe, whose `decoding` is that of all other systems; nothing if there are no others.

    decoded, bases: as `decoded` and `fine_tuned` of `StudySpec`.
    """
    said = [f"{name}: as {', but '.join([bases[name], *_otherwise(own)])}" for name, own in decoded.items()]
    return {"other_decoding": "; ".join(said)} if said else {}


def _otherwise(own: DecodingControl) -> list[str]:
    """Empty if that is nothing."""
    said = []
    if penalties := _penalties(own):
        said.append(f"ranks what its beam has finished by GNMT's penalty {penalties}")
    if own.no_repeat_ngram:
        said.append(f"has no {own.no_repeat_ngram} pieces in a row twice")
    if own.ensemble > 1:
        said.append(f"averages the probabilities of {own.ensemble} models, those of its seed and the next")
    return [" and ".join(said)] if said else []


def _penalties(own: DecodingControl) -> str:
    alpha, beta = own.gnmt_length_penalty, own.coverage_penalty
    said = []
    if any(alpha):
        left = ", which 0 leaves" if 0 in alpha else ""
        said.append(f"of length (α {_either(alpha)}, in the place of the length penalty{left})")
    if any(beta):
        said.append(f"of coverage (β {_either(beta)})")
    chosen = ", whichever dev's BLEU is best with" if said and _tried(own) else ""
    return " and ".join(said) + chosen


def _either(values: Sequence[float]) -> str:
    *first, last = (f"{value:g}" for value in values)
    return f"{', '.join(first)} or {last}" if first else last


def _tried(own: DecodingControl) -> list[str]:
    """Keys of `SIGNS` that dev has a choice of."""
    values = {"alpha": own.gnmt_length_penalty, "beta": own.coverage_penalty}
    return [key for key, of in values.items() if len(of) > 1]


def chosen_on_dev(run: RunDirectory, decoded: Mapping[str, DecodingControl], seeds: Sequence[int]) -> dict[str, str]:
    """`chosen_on_dev` of a recipe: the values that translated, of each seed; nothing if none were chosen.

    Nothing is said of what was released when releases did not hold them. Raises InputError if a file is damaged.
    """
    said = []
    for name, own in decoded.items():
        files = {seed: run.translations(name, seed) / CONTROL for seed in seeds} if _tried(own) else {}
        values = [f"{_values(path, own)} (seed {seed})" for seed, path in files.items() if path.exists()]
        if values:
            said.append(f"{name}: {', '.join(values)}")
    return {"chosen_on_dev": "; ".join(said)} if said else {}


def _values(path: Path, own: DecodingControl) -> str:
    chosen = read_record(path, SIGNS)
    return ", ".join(f"{SIGNS[key]} {chosen[key]:g}" for key in _tried(own))
