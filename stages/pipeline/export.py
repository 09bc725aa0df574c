"""`make export`: what the systems of the chosen study translated as plain text, for measures taken elsewhere.

work/export/<study>/<source>-<target>/<set>/: `source.<language>`, `reference.<language>` (`reference.0.<language>`, …
if a sentence has several) and `<system>-<seed>.<language>`, one sentence a line: running text where the corpus's
`score.detokenise` says so, unknown words replaced, and nothing folded as for BLEU of Chinese and Japanese.
`stages.reporting.given_metrics` reads the scores.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from stages.files.atomic import new_folder
from stages.files.errors import InputError
from stages.files.main import run
from stages.files.options import Options
from stages.files.run_directory import GIVEN_METRICS, STATISTICAL, WORK, RunDirectory
from stages.files.text import read_lines, write_lines
from stages.pipeline.graph import Pipeline
from stages.pipeline.study import add_study, look_at
from stages.pipeline.up_to_date import stale_results
from stages.scoring.inputs import Text, read_best, read_decoded, read_references, read_text
from stages.scoring.text_counts import Reading, known_words, written
from stages.settings.params import section
from stages.settings.scoring import ScoreSettings
from stages.settings.systems import StudySystems, study_systems

EXPORT = WORK / "export"
Run = tuple[str, int]


class Exported(NamedTuple):
    """folder: that was written; lacking: runs without translations; unknown: those whose unknown words are kept."""

    folder: Path
    lacking: list[Run]
    unknown: list[Run]


def main() -> None:
    parser = Options(description=__doc__)
    add_study(parser)
    look_at(parser.parse_args().study, None, print)
    study = study_systems()
    done = export(study, EXPORT, _up_to_date(study))
    for variant, seed in done.lacking:
        print(f"{variant}-{seed}: left out, for it has no translations; results of old releases have the first seed's")
    for variant, seed in done.unknown:
        print(f"{variant}-{seed}: unknown words are kept, for without attention nothing says what they stand for")
    print(f"{done.folder}: written; scores go to {GIVEN_METRICS / study.study}/<name>.csv, see docs/measures.md")


def export(study: StudySystems, out: Path, runs: Sequence[Run]) -> Exported:
    """Write the translations of these runs to the folder, in the place of an earlier one.

    Raises:
        InputError: no run has any, or a file is damaged; what was there before stays.
    """
    run = RunDirectory(Path(study.run))
    settings = section(f"corpora.{study.corpus}.score", ScoreSettings)
    text = read_text(run.of_corpus.text, study.direction)
    reading = Reading(settings, text.target, read_best(run.of_corpus.wordalign, text.direction))
    there = [one for one in runs if all(_translations(run, one, test).exists() for test in text.tests)]
    if not there:
        raise InputError(f"{run.path / 'translations'} has none of study {study.study}; run `make repro` first")
    folder, unknown = out / study.study, dict[Run, None]()
    with new_folder(folder) as new:
        for test in text.tests:
            of = new / f"{text.source}-{text.target}" / test
            of.mkdir(parents=True)
            _write_set(text, test, reading, of)
            for variant, seed in there:
                translations = known_words(read_decoded(text, test, _translations(run, (variant, seed), test)), reading)
                if settings.unk_replace != "none" and any(one.unknown for one in translations):
                    unknown[variant, seed] = None
                name = variant if variant in STATISTICAL else f"{variant}-{seed}"
                write_lines(of / f"{name}.{text.target}", written([one.target for one in translations], reading))
    return Exported(folder, [one for one in runs if one not in there], list(unknown))


def _up_to_date(study: StudySystems) -> list[Run]:
    """The runs whose translations are those of today's settings; the others are said."""
    pipeline, runs = Pipeline(), list[Run]()
    for variant, seed in runs_of(study):
        if stale := stale_results(pipeline, (variant,) if variant in STATISTICAL else (variant, seed)):
            print(f"left out: {stale}")
        else:
            runs.append((variant, seed))
    return runs


def runs_of(study: StudySystems) -> Iterator[Run]:
    for variant in study.variants:
        yield from ((variant, seed) for seed in study.seeds)
    yield from ((variant, study.seeds[0]) for variant in (*study.smt, *study.released_smt))


def _translations(run: RunDirectory, one: Run, test: str) -> Path:
    return run.translations(*one) / f"{test}.jsonl"


def _write_set(text: Text, test: str, reading: Reading, folder: Path) -> None:
    """Source and references; the references are running text already where translations are made so."""
    words = [line.split(" ") for line in read_lines(text.folder / f"{test}.{text.source}")]
    write_lines(folder / f"source.{text.source}", written(words, reading._replace(language=text.source)))
    columns = list(zip(*read_references(text, test), strict=True))
    for k, column in enumerate(columns):
        number = f".{k}" if len(columns) > 1 else ""
        write_lines(folder / f"reference{number}.{text.target}", column)


if __name__ == "__main__":
    run(main)
