"""What the page must show of a made-up study, from the files that it was made of."""

import math
import re
from pathlib import Path

import pandas as pd

from stages.files.text import read_lines
from stages.translating.translations import Translation, read_translations


def translations(folder: Path, variant: str, name: str) -> list[Translation]:
    file = f"{name}.forced.jsonl" if name == "gold" else f"{name}.jsonl"
    return read_translations(folder / f"forward-bpe/translations/{variant}-1/{file}")


def counts(folder: Path, variant: str, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / f"forward-bpe/scores/{variant}-1/{name}.csv")


def words(folder: Path, name: str) -> list[list[str]]:
    """Of each sentence of a file of the corpus."""
    return [line.split(" ") for line in read_lines(folder / f"corpus/{name}")]


def faults(one: Translation) -> tuple[list[int], list[int]]:
    """Positions of the source words that one is told twice, in the same words, and of those not told at all."""
    told: dict[int, list[str]] = {}
    for word, weights in zip(one.target, one.attention, strict=False):
        strongest = max(range(len(weights)), key=lambda s: weights[s])
        told.setdefault(strongest, []).append(word.casefold())
    positions = range(len(one.source))
    over = [s for s in positions if len(told.get(s, [])) > len(set(told.get(s, [])))]
    return over, [s for s in positions if s not in told]


def number(text: str) -> float:
    """The last number in it."""
    return float(re.findall(r"\d*\.?\d+", text)[-1])


def told(one: Translation, t: int, s: int) -> str:
    return f"{[*one.target, '</s>'][t]} ← {[*one.source, '</s>'][s]}: {one.attention[t, s]:.2f}"


def sentence_bleu(row: pd.Series) -> float:
    """In percent: of the orders that the translation is long enough for; the k-th without a match counts 2^-k."""
    correct, total = ([row[f"bleu.{kind}_{n}"] for n in range(1, 5)] for kind in ("correct", "total"))
    if not any(correct):
        return 0.0
    matches, missed = [], 0
    for found in correct:
        missed += found == 0
        matches.append(found or 0.5**missed)
    precisions = [found / of for found, of in zip(matches, total, strict=True) if of > 0]
    penalty = min(1.0, math.exp(1 - row["bleu.reference_length"] / row["bleu.system_length"]))
    return 100 * penalty * math.prod(precisions) ** (1 / len(precisions))


def error_rate(row: pd.Series) -> float:
    """AER in percent."""
    found = row["aer.links_sure"] + row["aer.links_possible"]
    return 100 * (1 - found / (row["aer.links"] + row["aer.sure"]))


def texts(folder: Path, *variants: str) -> list[str]:
    """All that can be searched, a text a sentence of the first test set."""
    said = [[" ".join(one.target) for one in translations(folder, variant, "test")] for variant in variants]
    columns = (*(read_lines(folder / f"corpus/test.{kind}") for kind in ("zh", "ref0.en", "ref1.en")), *said)
    return ["\n".join(lines).casefold() for lines in zip(*columns, strict=True)]


def value(text: str) -> float | None:
    """Seconds of a clock, else the number that a cell begins with; None where there is none."""
    clock = re.match(r"(\d+):(\d\d):(\d\d)", text)
    if clock:
        hours, minutes, seconds = map(int, clock.groups())
        return 3600 * hours + 60 * minutes + seconds
    found = re.match(r"[-−+]?\d[\d,]*(\.\d+)?", text)
    return float(found[0].replace(",", "").replace("−", "-")) if found else None
