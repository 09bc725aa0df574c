"""Stage `corpus`: the settings of a corpus -> its folder of filtered, tokenised text, references and gold links."""

import argparse
from pathlib import Path

from stages.corpora.broken import Broken
from stages.corpora.corpus_folder import write_corpus
from stages.corpora.download import Sources
from stages.corpora.filters import Filters
from stages.corpora.kinds import load
from stages.files.main import run
from stages.settings.corpora import CorpusSettings
from stages.settings.params import section


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="its name under `corpora` in params.yaml")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    make(args.corpus, section(f"corpora.{args.corpus}.corpus", CorpusSettings), Sources.of_environment(), args.out)


def make(name: str, settings: CorpusSettings, sources: Sources, out: Path) -> None:
    """Write the folder `out` of the corpus `name`, whole or not at all; raises InputError on any bad input."""
    print(f"corpus {name}: reading", flush=True)
    languages = (settings.source, settings.target)
    filters = Filters(
        max_length=settings.max_length,
        limit=settings.limit,
        distinct=settings.distinct,
        lengths_of_gold=settings.lengths_of == "gold",
        broken=None if settings.broken is None else Broken(languages, settings.broken),
    )
    write_corpus(load(settings, sources), name, languages, filters, settings.lowercase, out)


if __name__ == "__main__":
    run(main)
