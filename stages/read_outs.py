"""Stage `read_outs`: the word alignment of the gold pairs, read out of a system in other ways than its attention.

Writes `<seed>.json`: by name of `READ_OUTS` what of AER, precision and recall each has, and which head dev has chosen.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from stages.files.atomic import new_folder
from stages.files.errors import InputError
from stages.files.main import RUN, arguments, run
from stages.files.records import write_json
from stages.files.run_directory import RunDirectory
from stages.files.text import read_lines
from stages.scoring.aligner_scores import quality
from stages.scoring.inputs import Text, read_gold, read_text
from stages.scoring.read_outs import Links, best_head, both_directions, links_of, read_silver
from stages.settings.machine import check_threads
from stages.settings.params import find
from stages.settings.scoring import EosPolicy, ScoreSettings
from stages.settings.study_run import StudyRun, run_of
from stages.settings.training import Decoding

Pair = tuple[list[str], list[str]]
"""Pieces of source and target."""


def main() -> None:
    args = arguments(__doc__, *RUN, "variant")
    of = run_of(args)
    decoding = of.section("decoding", Decoding)
    check_threads(decoding.threads, f"corpora.{of.corpus}.decoding.threads")
    os.environ["OMP_NUM_THREADS"] = str(decoding.threads)  # read once, when torch is imported
    text = read_text(of.folders.of_corpus.text, of.direction)
    if not text.gold:
        raise InputError(f"{text.folder} has no gold alignments to hold links against; write `read_outs: []`")
    policy = of.section("score", ScoreSettings).aer_eos
    backward = args.variant in find(of.content, "also_reverse")
    from stages.translating.precision import decoding_products  # imports torch

    with new_folder(of.folders.read_outs(args.variant)) as folder, decoding_products(decoding):
        for seed in find(of.content, "seeds"):
            write_json(folder / f"{seed}.json", read_outs(of, text, args.variant, seed, policy, backward))
            print(f"{args.variant}-{seed}: links are read", flush=True)


def read_outs(of: StudyRun, text: Text, variant: str, seed: int, policy: EosPolicy, backward: bool) -> dict[str, Any]:
    """backward: the system is trained in the reverse direction too."""
    from stages.translating import read_outs as ways
    from stages.translating.load import load_system

    run: RunDirectory = of.folders
    system = load_system(run.model(variant, seed) / "model.pt", run.data)
    golds, pairs = read_gold(text), _pairs(run.tokens, "gold", text.source, text.target)
    found: dict[str, Links] = {}
    attention = [ways.attention(system, *pair) for pair in pairs]
    weights = [one for one in attention if one is not None]
    if weights:
        found["attention"], found["shifted"] = links_of(weights, policy), links_of(weights, policy, shift=1)
    found["gradient"] = links_of((ways.gradient_times_input(system, *pair) for pair in pairs), policy)
    found["erasure"] = links_of((ways.erasure(system, *pair) for pair in pairs), policy)
    chosen = None
    dev = _pairs(run.tokens, "dev", text.source, text.target)
    if heads := _by_head((ways.heads(system, *pair) for pair in dev), policy):
        silver = read_silver(run.of_corpus.wordalign / "dev.gdfa", text.direction, len(dev))
        chosen = best_head(heads, silver)
        found["head"] = links_of((ways.heads(system, *pair)[chosen] for pair in pairs), policy)
    if weights and backward:
        reverse = load_system(run.model(variant, seed, reverse=True) / "model.pt", run.data_reverse)
        turned = (ways.attention(reverse, target, source) for source, target in pairs)
        found |= both_directions(found["attention"], links_of((one for one in turned if one is not None), policy))
    return {
        "variant": variant,
        "seed": seed,
        "read_outs": {name: quality(links, golds)._asdict() for name, links in found.items()},
        "head": chosen and {"layer": chosen[0], "head": chosen[1]},
    }


def _by_head(each: Iterable[dict[tuple[int, int], np.ndarray]], policy: EosPolicy) -> dict[tuple[int, int], Links]:
    found: dict[tuple[int, int], Links] = {}
    for heads in each:
        for key, weights in heads.items():
            found.setdefault(key, []).extend(links_of([weights], policy))
    return found


def _pairs(folder: Path, name: str, source: str, target: str) -> list[Pair]:
    sides = [[line.split(" ") for line in read_lines(folder / f"{name}.{language}")] for language in (source, target)]
    return list(zip(*sides, strict=True))


if __name__ == "__main__":
    run(main)
