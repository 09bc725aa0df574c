"""Stage `bpe`: words -> sub-word pieces (Sennrich et al. 2016), learnt on train and applied to every set."""

from pathlib import Path

from stages.files.main import RUN, arguments, run
from stages.segmenting.corpus_tokens import copy, segment
from stages.settings.corpora import SegmentationSettings
from stages.settings.languages import Segmentation
from stages.settings.params import section
from stages.settings.study_run import run_of


def main() -> None:
    of = run_of(arguments(__doc__, *RUN))
    bpe(of.corpus, of.segmentation, of.folders.of_corpus.text, of.folders.tokens)


def bpe(corpus: str, segmentation: Segmentation, text: Path, out: Path) -> None:
    """Write the folder `out` for the corpus in `text`, which the corpus stage made."""
    if segmentation == "bpe":
        segment(text, section(f"corpora.{corpus}.segmentation", SegmentationSettings), out)
    else:
        copy(text, out)


if __name__ == "__main__":
    run(main)
