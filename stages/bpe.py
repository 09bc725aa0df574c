"""Stage `bpe`: words -> sub-word pieces (Sennrich et al. 2016), learnt on train and applied to every set."""

import argparse
import contextlib
import io
import os
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe
from tqdm import tqdm

from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.errors import InputError
from stages.files.main import run
from stages.files.text import iter_lines, write_lines
from stages.settings.corpora import SegmentationSettings
from stages.settings.params import section

SEPARATOR = "@@"


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


def copy(text: Path, out: Path) -> None:
    """`words`: the text of every set as it is."""
    with new_folder(out) as folder:
        for part, language in _parts(text):
            shutil.copyfile(text / f"{part}.{language}", folder / f"{part}.{language}")


def segment(text: Path, settings: SegmentationSettings, out: Path) -> None:
    """Learn merges on `train` and write codes and the segmented sets to the folder `out`, whole or not at all.

    One table for both languages (`codes`) if `joint`, else one each (`codes.<lang>`). With a vocabulary threshold n,
    pieces that occur less than n times in the segmented training text of a language are cut further in it.

    Raises:
        InputError: an input of the corpus stage is missing or damaged, nothing to merge, or `out` cannot be written.
    """
    parts = _parts(text)
    languages = sorted({language for _, language in parts})
    counts = {language: count_words(iter_lines(text / f"train.{language}")) for language in languages}
    if settings.joint:
        shared = learn(counts[languages[0]] + counts[languages[1]], settings.merges)
        files, codes = {"codes": shared}, dict.fromkeys(languages, shared)
    else:
        codes = {language: learn(counts[language], settings.merges) for language in languages}
        files = {f"codes.{language}": codes[language] for language in languages}
    segmenters = {
        language: Segmenter(codes[language], counts[language], settings.vocabulary_threshold) for language in languages
    }
    with new_folder(out) as folder:
        for name, content in files.items():
            write_lines(folder / name, content.splitlines())
        for part, language in tqdm(parts, desc="applying BPE", unit="file", disable=None):
            lines = iter_lines(text / f"{part}.{language}")
            write_lines(folder / f"{part}.{language}", map(segmenters[language].segment, lines))


def count_words(lines: Iterable[str]) -> Counter[str]:
    """Occurrences of each word."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(line.split(" "))
    return counts


def learn(counts: Counter[str], merges: int) -> str:
    """The codes file of subword-nmt with up to `merges` merges (fewer when no pair occurs twice)."""
    if all(len(word) == 1 for word in counts):
        raise InputError("every word is a single character, there is nothing to merge; use segmentation: words")
    codes = io.StringIO()
    dictionary = [f"{word} {count}\n" for word, count in counts.items()]
    print(f"learning up to {merges} merges from {len(counts)} different words", flush=True)
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere):  # its bar is never cleared
        learn_bpe(dictionary, codes, merges, is_dict=True)
    return codes.getvalue()


class Segmenter:
    """Cuts lines of words into pieces; every word is cut once and remembered."""

    def __init__(self, codes: str, counts: Counter[str], threshold: int) -> None:
        self._bpe = BPE(io.StringIO(codes), separator=SEPARATOR)
        if threshold:
            self._bpe = BPE(io.StringIO(codes), separator=SEPARATOR, vocab=self._vocabulary(counts, threshold))
        self._known: dict[str, str] = {}

    def segment(self, line: str) -> str:
        """`line` with every piece but the last of a word followed by the separator."""
        known = self._known
        words = line.split(" ")
        for word in words:
            if word not in known:
                known[word] = self._bpe.segment(word)
        return " ".join([known[word] for word in words])

    def _vocabulary(self, counts: Counter[str], threshold: int) -> set[str]:
        pieces: Counter[str] = Counter()
        for word, count in counts.items():
            for piece in self._bpe.segment_tokens([word]):
                pieces[piece] += count
        return {piece for piece, count in pieces.items() if count >= threshold}


def _parts(text: Path) -> list[tuple[str, str]]:
    """Every (set, language) in the folder of the corpus stage."""
    corpus = read_corpus_record(text)
    return [(part, language) for part in ("train", *corpus.held_out) for language in corpus.languages]


if __name__ == "__main__":
    run(main)
