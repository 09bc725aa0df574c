"""Whether the text of a corpus can be had, asked before anything that takes long."""

from pathlib import Path

import requests

from stages.corpora import hansards, mix, multi30k
from stages.corpora.download import Archive, Publication, Sources
from stages.files.errors import InputError
from stages.settings.corpora import CorpusSettings, HansardsSettings, MixSettings, Multi30kSettings
from stages.settings.schema import Params
from stages.settings.study_run import corpus_directory

SECONDS = 10


def require_text(params: Params, runs: Path) -> None:
    """Raise InputError, which names CORPUS_MIRROR, if the chosen corpus is a public one that is neither here nor in
    DVC's cache of runs, a folder, nor in a mirror, and whose publisher does not answer."""
    name = params.corpus
    if corpus_directory(name).text.exists() or _was_made(name, runs):
        return
    sources = Sources.of_environment()
    for publication in _publications(params.corpora[name].corpus):
        if sources.mirror is not None:
            if not (folder := sources.mirror / publication.folder).is_dir():
                raise InputError(f"{folder} is missing; correct CORPUS_MIRROR, or unset it to download the corpus")
        elif not all(_is_there(archive, sources.downloads / publication.folder) for archive in publication.archives):
            _require_answer(publication)


def _was_made(corpus: str, runs: Path) -> bool:
    """Whether the cache of runs has the stage, perhaps with other settings."""
    command = f"stages.corpus --corpus {corpus}\n".encode()
    return any(command in path.read_bytes() for path in runs.glob("*/*/*") if path.is_file())


def _is_there(archive: Archive, folder: Path) -> bool:
    return (folder / archive.file).exists() or all((folder / name).exists() for name in archive.names)


def _require_answer(publication: Publication) -> None:
    url = publication.archives[0].url
    try:
        requests.head(url, timeout=SECONDS, allow_redirects=True)
    except requests.RequestException as error:
        raise InputError(
            f"{url} does not answer ({type(error).__name__}): check the network and run again, or set CORPUS_MIRROR to "
            f"a folder that has {publication.folder}/ (docs/corpora.md)"
        ) from None


def _publications(settings: CorpusSettings) -> list[Publication]:
    match settings:
        case HansardsSettings():
            return [hansards.PUBLICATION]
        case Multi30kSettings():
            return [multi30k.PUBLICATION]
        case MixSettings():
            sets = [settings.dev, *settings.tests.values()]
            names = [part.corpus for part in settings.train] + [mix.HELD_OUT[one.set].corpus for one in sets]
            names += [settings.gold] if settings.gold else []
            return [mix.PUBLICATIONS[name] for name in dict.fromkeys(names)]
    return []
