"""Stage `corpus`: the settings of a corpus -> its folder of filtered, tokenised text, references and gold links."""

from pathlib import Path

from stages.corpora.corpus_folder import write_corpus
from stages.corpora.download import Sources
from stages.corpora.filters import Filters
from stages.corpora.given import require_given
from stages.corpora.loading import load
from stages.corpora.mismatched import Mismatched
from stages.files.main import arguments, run
from stages.settings.corpora import CorpusSettings
from stages.settings.params import section
from stages.settings.study_run import corpus_directory


def main() -> None:
    name = arguments(__doc__, "corpus").corpus
    settings: CorpusSettings = section(f"corpora.{name}.corpus", CorpusSettings)
    places = corpus_directory(name)
    require_given(settings, places)
    make(name, settings, Sources.of_environment(), places.text)
    require_given(settings, places)


def make(name: str, settings: CorpusSettings, sources: Sources, out: Path) -> None:
    """Write the folder `out` of the corpus `name`, whole or not at all; raises InputError on any bad input."""
    print(f"corpus {name}: reading", flush=True)
    languages = (settings.source, settings.target)
    filters = Filters(
        max_length=settings.max_length,
        limit=settings.limit,
        distinct=settings.distinct,
        lengths_of_gold=settings.match_lengths_of == "gold",
        mismatched=None if settings.mismatched_pairs is None else Mismatched(languages, settings.mismatched_pairs),
        languages=languages,
        lowercase=settings.lowercase,
    )
    write_corpus(load(settings, sources), name, filters, out)


if __name__ == "__main__":
    run(main)
