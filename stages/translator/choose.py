"""Which trained system is asked for: of this machine, or one that lies in a file."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryDirectory

from stages.files.errors import InputError
from stages.files.run_directory import STATISTICAL
from stages.releasing.model_file import ModelPath, shipped, unpack
from stages.settings.names import item_of
from stages.settings.params import find, read, validate
from stages.settings.systems import Study
from stages.settings.unknown_study import no_study
from stages.translator.chosen import Chosen, of_file, of_study, run_directory


@contextmanager
def opened_system(name: str, study: str | None, seed: int | None, model: Path | None) -> Iterator[Chosen]:
    """The system that is asked for, with all that it takes; a file's content is there until the body ends.

    model: a model file. Else the first that there is of: the system of the study, trained on this machine; the study's
    in a file of `reports/released`; where no study is named, a system of that name in any such file. Where no system
    is named either: the first such file. The study is the one that params.yaml chooses, the seed any of its own, unless
    they are named.

    Raises:
        InputError: there is none; says which there are, and which command trains it.
    """
    if model is not None and (name or study or seed is not None):
        raise InputError(f"MODEL={model} says which system it is; leave out SYSTEM, STUDY and SEED")
    if model is not None and not model.exists():
        raise InputError(f"{model}: no such file; correct MODEL=…, or leave it out: {there_are()}")
    found = model or _found(name, study, seed)
    if isinstance(found, Chosen):
        yield found
        return
    with TemporaryDirectory(prefix="model-") as folder:
        yield of_file(found, unpack(found, Path(folder)), Path(folder))


def choose(name: str, study: str | None, seed: int | None) -> Chosen:
    """The system `name` of a study, trained on this machine.

    Raises:
        InputError: as `opened_system`.
    """
    of = _study(study)
    if name not in of.translating:
        raise InputError(f"{_unknown(name, of)}; {there_are()}")
    chosen = _trained(of, name, seed)
    for path in chosen.missing():
        raise InputError(f"{path} is missing: {_remedy(chosen, of)}; {there_are()}")
    return chosen


def there_are() -> str:
    """All that can translate now, in a sentence."""
    groups = [f"of study {of.study}: {', '.join(names)}" for of in _studies() if (names := list(_ready(of)))]
    if files := [str(one.path) for one in shipped()]:
        groups.append(f"as files (MODEL=…): {', '.join(files)}")
    return f"ready to translate {'; '.join(groups)}" if groups else "no system is ready to translate"


def _found(name: str, study: str | None, seed: int | None) -> Chosen | Path:
    of = _study(study)
    files = [one for one in shipped() if seed in (None, one.seed)]
    own = [one for one in files if _is_of(one, of)]
    if not name:
        if default := own or ([] if study else files):
            return default[0].path
    elif name in of.translating and not any(_trained(of, name, seed).missing()):
        pass
    elif fitting := [one for one in (own if study else own + files) if one.variant == name]:
        return fitting[0].path
    return choose(name, study, seed)


def _is_of(one: ModelPath, of: Study) -> bool:
    return (one.corpus, one.direction_and_segmentation) == (of.corpus, f"{of.direction}-{of.segmentation}")


def _trained(of: Study, name: str, seed: int | None) -> Chosen:
    """With the first of the study's seeds that it is trained with, unless one is named."""
    seeds = of.seeds if seed is None else [seed]
    chosen = [of_study(of, name, one) for one in seeds]
    return next((one for one in chosen if one.model.exists()), chosen[0])


def _ready(of: Study) -> Iterator[str]:
    """The systems that are trained on this machine; the seed is said where it is not the first alone."""
    run = run_directory(of)
    for name in of.translating:
        seeds = [seed for seed in of.seeds if (run.model(name, seed) / "model.pt").exists()]
        if seeds:
            yield name if seeds == of.seeds[:1] else f"{name} (SEED={'/'.join(map(str, seeds))})"


def _studies() -> Iterator[Study]:
    """Every one that is as it should be, the chosen one first."""
    chosen = _study(None)
    yield chosen
    for name in find(read(), "studies"):
        with suppress(InputError):  # another study is not asked for
            if (of := _study(name)).study != chosen.study:
                yield of


def _study(name: str | None) -> Study:
    content = read()
    if name is None:
        return validate({key: find(content, key) for key in Study.model_fields}, Study, "the study")
    studies = find(content, "studies")
    if name not in studies:
        raise InputError(no_study(name, studies))
    return validate(studies[name], Study, f"studies.{name}")


def _unknown(name: str, of: Study) -> str:
    """Why the study has no such system that translates."""
    study, systems = of.study, of.neural
    trains = f"`make repro STUDY={study} SYSTEMS={name or '…'}` trains"
    if not name and not of.translating:
        return f"the results of study {study} come from reports/released, without models; {trains} one"
    if not name:
        return f"which system is to translate? Say SYSTEM=…; study {study} has {', '.join(of.translating)}"
    if name in of.released:
        return f"the results of {name} in study {study} come from reports/released, without a model; {trains} it"
    if name in STATISTICAL:
        return f"{name} translates in reports only, where it is compared with the others; name another system"
    near = get_close_matches(name, systems, n=2)
    meant = f"; did you mean {' or '.join(near)}? It has " if near else "; it has "
    return f"study {study} has no system {name!r}{meant}{', '.join(systems)}; another study is chosen with STUDY=…"


def _remedy(chosen: Chosen, of: Study) -> str:
    name, seed = chosen.variant, chosen.seed
    stages = {"fine_tune": of.fine_tuned, "evaluate_decoded": of.decoded}
    stage = next((stage for stage, names in stages.items() if name in names), "train")
    before = ""
    if seed not in of.seeds:
        before = f"add {seed} to its seeds, which are {', '.join(map(str, of.seeds))}; then "
    content = read()
    # With RELEASED=1 in effect a run trains nothing of its study, unless the study is named.
    of_study = f" STUDY={of.study}" if of.study != find(content, "study") or content.get("released") else ""
    return (
        f"{before}`make repro{of_study} SYSTEMS={name}` makes what {name} with seed {seed} needs, or "
        f"`dvc pull --with-deps {stage}@{item_of(of.model_dump())}-{name}-{seed}` fetches it from a remote that has it"
    )
