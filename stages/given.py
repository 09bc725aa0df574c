"""Stage `given`: the settings of a corpus -> the list of a user's files behind it, see `stages.corpora.given`."""

from stages.corpora.given import write_given
from stages.files.main import arguments, run
from stages.settings.corpora import CorpusSettings
from stages.settings.params import section
from stages.settings.study_run import corpus_directory


def main() -> None:
    name = arguments(__doc__, "corpus").corpus
    write_given(section(f"corpora.{name}.corpus", CorpusSettings), corpus_directory(name))


if __name__ == "__main__":
    run(main)
