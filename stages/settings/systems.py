"""The study that params.yaml chooses: which variants are trained, with which seeds, on which corpus."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from stages.files.errors import InputError
from stages.settings.languages import Direction, Segmentation
from stages.settings.names import folder_of, repeated, shown
from stages.settings.params import PARAMS, Name, Seed, Settings, StudyName, find, read, validate
from stages.settings.variants import Variant, variant


class StudyDefaults(Settings):
    """``defaults.study``: what a study has unless it says otherwise, see `Study`."""

    direction: Direction
    segmentation: Segmentation
    seeds: Annotated[list[Seed], Field(min_length=1)]
    fine_tuned: dict[Name, Name]
    decoded: dict[Name, Name]
    also_reverse: list[Name]
    read_outs: list[Name]
    smt: list[Literal["smt"]]
    training_sizes: list[StudyName]
    released: dict[Name, Name | None]
    released_smt: list[Literal["smt"]]


class Study(StudyDefaults):
    """What is trained and compared, as a block of ``studies`` and, chosen, at the top level of params.yaml.

    study: its name, that of its folder below reports/.
    corpus: a key of ``corpora``; direction: forward is source -> target; segmentation: the tokens of all systems.
    run: the folder of its systems, which the three of these make.
    seeds: every system is trained once with each.
    systems: variants that are trained from random weights, in the order of the tables; none if all are released.
    fine_tuned: variant -> the variant from whose trained model of the same seed it is initialised.
    decoded: variant -> the variant whose trained models it shares; it differs in `decoding` only.
    also_reverse: variants that are trained in the reverse direction too, also of `released`: for systems that join both
    directions, and for the perplexities in both directions (Cohn et al. 2016).
    read_outs: trained systems whose word alignment is read out in other ways than attention, too.
    smt: systems that are no neural network, after the others in the tables: `smt`, the phrase-based one.
    training_sizes: studies of the same systems on less text, each with a report, that this one is held beside.
    released: systems that are not trained here, whose results are taken from reports/released: variant -> the variant
    that it was initialised from, or shares its models with, null for one trained from random weights; before the others
    in the tables.
    released_smt: the same of `smt`: it is there if it is taken from there, and then not in `smt`.
    """

    study: StudyName
    corpus: StudyName
    run: str
    systems: list[Name]

    @property
    def trained(self) -> list[str]:
        """From random weights, then the fine-tuned ones."""
        return [*self.systems, *self.fine_tuned]

    @property
    def built(self) -> list[str]:
        """Those, and the released ones that are trained in the reverse direction alone."""
        return list(dict.fromkeys((*self.trained, *self.also_reverse)))

    @property
    def translating(self) -> list[str]:
        """Those that translate here: the trained ones, then those that differ in decoding only."""
        return [*self.trained, *self.decoded]

    @property
    def neural(self) -> list[str]:
        """All of the study but `smt`, in the order of the tables: the released ones, then those of here."""
        return [*self.released, *self.translating]

    @model_validator(mode="after")
    def _in_its_folder(self) -> Self:
        if self.run != (run := folder_of(self.model_dump())):
            raise ValueError(f"run is {shown(self.run)}, but corpus, direction and segmentation make it {run}")
        return self


class StudySystems(Study):
    """The chosen study, with the definitions on its corpus of its systems, which are `neural`."""

    variants: dict[str, Variant]

    @property
    def bases(self) -> dict[str, str]:
        """Variant -> the variant that it is or was initialised from, or whose models it shares."""
        of_released = {name: base for name, base in self.released.items() if base is not None}
        return of_released | self.fine_tuned | self.decoded


def study_systems(content: dict[str, Any] | None = None) -> StudySystems:
    """The study at the top level of params.yaml, with its systems. content: of that file, if it has been read.

    Raises:
        InputError: a key is missing or wrong, or a name is unknown or stands twice.
    """
    content = read() if content is None else content
    chosen = validate({name: find(content, name) for name in Study.model_fields}, Study, "the study")
    defined = validate(find(content, "variants"), dict[str, Any], "variants")
    if problems := list(_problems(chosen, defined, validate(find(content, "corpora"), dict[str, Any], "corpora"))):
        raise InputError(f"{PARAMS}: " + "; ".join(problems))
    variants = {name: variant(name, content).on(chosen.corpus) for name in chosen.neural}
    if problems := list(_of_decoding(chosen, variants)):
        raise InputError(f"{PARAMS}: " + "; ".join(problems))
    return StudySystems.model_construct(**dict(chosen), variants=variants)


def _of_decoding(chosen: Study, variants: Mapping[str, Variant]) -> Iterator[str]:
    for name in chosen.trained:
        if variants[name].decoding is not None:
            yield f"variants.{name}.decoding: the system is trained; {name} can only stand in decoded"
    for name, base in chosen.decoded.items():
        own = variants[name]
        if own.decoding is None:
            yield f"decoded: {name} has no decoding of its own; say what it does otherwise below variants.{name}"
        elif (own.model, own.training) != (variants[base].model, variants[base].training):
            yield f"decoded: {name} is not the system {base} but for decoding; write the same architecture and options"
        elif 1 < own.decoding.ensemble >= len(chosen.seeds):
            runs = f"takes {own.decoding.ensemble} models, and there are {len(chosen.seeds)} seeds"
            yield f"decoded: {name} {runs}; add a seed, or all its runs would be the same ensemble"


def _problems(chosen: Study, defined: dict[str, Any], corpora: dict[str, Any]) -> Iterator[str]:
    if chosen.corpus not in corpora:
        yield f"corpus: {chosen.corpus!r} is not below corpora (there are: {', '.join(corpora)})"
    for key in ("seeds", "systems", "also_reverse", "read_outs", "smt", "training_sizes", "released_smt"):
        if twice := repeated(getattr(chosen, key)):
            yield f"{key}: {twice} stands there twice; name each once"
    for key in ("systems", "fine_tuned", "decoded", "also_reverse", "read_outs", "released"):
        names = getattr(chosen, key)
        if unknown := [name for name in names if name not in defined]:
            yield f"{key}: there is no variant {', '.join(unknown)} (there are: {', '.join(defined)})"
    for name, base in chosen.fine_tuned.items():
        if name in chosen.systems:
            yield f"fine_tuned: {name} stands in systems too; a system is trained from random weights or fine-tuned"
        if base not in chosen.trained:
            yield f"fine_tuned: {name} is initialised from {base}, which this study does not train; add it to systems"
        elif name in line(name, chosen.fine_tuned)[1:]:
            yield f"fine_tuned: {name} is initialised from itself by way of {base}"
    for name, base in chosen.decoded.items():
        if name in chosen.trained:
            yield f"decoded: {name} is trained by this study too; take it off one of the lists"
        if base not in chosen.trained:
            yield f"decoded: {name} shares the models of {base}, which this study does not train; add it to systems"
    if not (chosen.systems or chosen.released):
        yield "systems: at least 1 system must stand here, or in released"
    for name, of in chosen.released.items():
        if name in chosen.translating:
            yield f"released: {name} is trained by this study too; take it off one of the lists"
        if of is not None and of not in (*chosen.trained, *chosen.released):
            yield f"released: {name} was initialised from {of}, which is not in this study; add it to released"
    if both := set(chosen.smt) & set(chosen.released_smt):
        yield f"released_smt: {', '.join(both)} is made by this study too; take it off one of the lists"
    if strange := [name for name in chosen.also_reverse if name not in (*chosen.systems, *chosen.released)]:
        yield f"also_reverse: {', '.join(strange)} must stand in systems or released, too"
    if strange := [name for name in chosen.read_outs if name not in chosen.trained]:
        yield f"read_outs: {', '.join(strange)} must stand in systems or fine_tuned, for it takes the trained models"
    if chosen.study in chosen.training_sizes:
        yield f"training_sizes: {chosen.study} is this study itself; name one on less text"


def line(name: str, bases: Mapping[str, str]) -> list[str]:
    """A system, the one whose model it builds on, and so on; where that goes in a circle, once around.

    bases: as `StudySystems.bases`.
    """
    found = [name]
    while (base := bases.get(found[-1])) is not None and base not in found[1:]:
        found.append(base)
    return found


def origin(name: str, bases: Mapping[str, str]) -> str:
    """The last of its `line`, which is trained from random weights."""
    return line(name, bases)[-1]
