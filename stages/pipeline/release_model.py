"""`make release MODEL=…`: a trained system as a file that translates wherever the project is, see `model_file`."""

import hashlib

from stages.files.errors import InputError
from stages.releasing.model_file import holds, model_path, write_model
from stages.settings.systems import StudySystems


def seed_of(study: StudySystems, variant: str, seed: str | None) -> int:
    """The seed that is asked for; the study's first unless one is.

    Raises:
        InputError: the study has no such system or seed.
    """
    if variant not in study.trained:
        there = ", ".join(study.trained) or "none"
        raise InputError(f"study {study.study} trains no system {variant!r}; it trains {there}")
    seeds = [str(one) for one in study.seeds]
    if seed is not None and seed not in seeds:
        raise InputError(f"study {study.study} has no seed {seed!r}; its seeds are {', '.join(seeds)}")
    return study.seeds[0] if seed is None else int(seed)


def release_model(study: StudySystems, variant: str, seed: int, commit: str) -> None:
    """Write the file, unless it is there already, and say its size and sum.

    Raises:
        InputError: something that it takes is missing or damaged.
    """
    from stages.releasing.model_parts import about_model, files_of_model  # torch, which nothing before needs

    about = about_model(study, variant, seed, commit)
    files = files_of_model(study, variant, seed)
    path = model_path(study.corpus, study.direction, study.segmentation, variant, seed)
    if holds(path, about, files):
        print(f"{path}: as it was")
        return
    print(f"{path}: compressing {sum(map(len, files.values())) / 1e6:.1f} MB", flush=True)
    write_model(path, about, files)
    data = path.read_bytes()
    print(f"{path}: {len(data) / 1e6:.1f} MB, sha256 {hashlib.sha256(data).hexdigest()}")
    print(f"anybody with the project translates with it: make translate MODEL={path} < file")
