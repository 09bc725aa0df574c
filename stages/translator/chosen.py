"""Which trained system is asked for, and where the stages left what it takes to use it."""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from stages.files.errors import InputError
from stages.files.run_directory import RunDirectory
from stages.settings.languages import languages
from stages.settings.params import PARAMS, find, read, section, validate
from stages.settings.scoring import ScoreSettings
from stages.settings.systems import Study
from stages.settings.titles import titles_of
from stages.settings.training import Decoding

WORK = Path("work")


class Chosen(NamedTuple):
    """A system of a study, trained with one seed.

    pair: source and target language. corpus, wordalign: folders of these stages; run: of the study's others.
    """

    variant: str
    title: str
    seed: int
    study: Study
    pair: tuple[str, str]
    decoding: Decoding
    scoring: ScoreSettings
    corpus: Path
    wordalign: Path
    run: RunDirectory

    @property
    def model(self) -> Path:
        return self.run.model(self.variant, self.seed) / "model.pt"

    @property
    def codes(self) -> tuple[Path, ...]:
        """Where the merges of the source language may stand: one table for both, or its own; words need none."""
        if self.study.segmentation == "words":
            return ()
        return (self.run.tokens / "codes", self.run.tokens / f"codes.{self.pair[0]}")

    @property
    def lexicon(self) -> Path | None:
        """What unknown words are looked up in, if they are."""
        if not self.scoring.unk_replace.startswith("lexical"):
            return None
        sides = "source-target" if self.study.direction == "forward" else "target-source"
        return self.wordalign / f"lexicon.{sides}.tsv"


def choose(name: str, study: str | None, seed: int | None) -> Chosen:
    """The system `name` of a study: the one that params.yaml chooses unless given; its first seed unless given.

    Raises:
        InputError: there is no such study or system, or it is not trained yet; says which command trains it.
    """
    of = _study(study)
    systems = [*of.rows, *of.fine_tuned]
    if name not in systems:
        raise InputError(_unknown(name, of.study, systems))
    corpus = f"corpora.{of.corpus}"
    chosen = Chosen(
        variant=name,
        title=titles_of([name], read())[name],
        seed=of.seeds[0] if seed is None else seed,
        study=of,
        pair=languages(of.corpus, of.direction),
        decoding=section(f"{corpus}.decoding", Decoding),
        scoring=section(f"{corpus}.score", ScoreSettings),
        corpus=WORK / of.corpus / "corpus",
        wordalign=WORK / of.corpus / "wordalign",
        run=RunDirectory(WORK / of.corpus / f"{of.direction}-{of.segmentation}"),
    )
    for path in _missing(chosen):
        raise InputError(f"{path} is missing: {_remedy(chosen)}")
    return chosen


def _study(name: str | None) -> Study:
    content = read()
    if name is None:
        return validate({key: find(content, key) for key in Study.model_fields}, Study, "the study")
    return validate(find(content, f"studies.{name}"), Study, f"studies.{name}")


def _unknown(name: str, study: str, systems: list[str]) -> str:
    there = get_close_matches(name, systems) or systems
    if not name:
        return f"which system is to translate? Say SYSTEM=…; study {study} has {', '.join(systems)}"
    return f"study {study} has no system {name!r}; it has {', '.join(there)}; another study is chosen with STUDY=…"


def _missing(chosen: Chosen) -> Iterator[Path]:
    data = [chosen.run.data / f"dict.{language}.txt" for language in chosen.pair]
    lexicon = [chosen.lexicon] if chosen.lexicon else []
    yield from (path for path in (chosen.model, chosen.corpus / "stats.json", *data, *lexicon) if not path.exists())
    if chosen.codes and not any(path.exists() for path in chosen.codes):
        yield chosen.codes[-1]


def _remedy(chosen: Chosen) -> str:
    name, seed, study = chosen.variant, chosen.seed, chosen.study
    stage = "fine_tune" if name in study.fine_tuned else "train"
    first = []
    if study.study != find(read(), "study"):
        first.append(f"choose the study in {PARAMS} (<<: *{study.study})")
    if seed not in study.seeds:
        first.append(f"add {seed} to its seeds, which are {', '.join(map(str, study.seeds))}")
    before = f"{' and '.join(first)}; then " if first else ""
    return (
        f"{before}`make repro ROWS={name}` makes what {name} with seed {seed} needs, or "
        f"`dvc pull --with-deps {stage}@{study.study}-{name}-{seed}` fetches it from a remote that has it"
    )
