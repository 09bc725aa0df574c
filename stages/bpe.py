"""Stage `bpe`: words -> sub-word pieces (Sennrich et al. 2016), learnt on train and applied to every set."""

import argparse
from pathlib import Path

from stages.files.main import run
from stages.segmenting.corpus_tokens import copy, segment
from stages.settings.corpora import SegmentationSettings
from stages.settings.params import section


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="its name under `corpora` in params.yaml")
    parser.add_argument("--segmentation", choices=("bpe", "words"), required=True)
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if args.segmentation == "bpe":
        segment(args.text, section(f"corpora.{args.corpus}.segmentation", SegmentationSettings), args.out)
    else:
        copy(args.text, args.out)


if __name__ == "__main__":
    run(main)
