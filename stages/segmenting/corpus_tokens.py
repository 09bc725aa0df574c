"""The tokens of every set of a corpus, in a folder with the names of the corpus folder's texts."""

import shutil
from pathlib import Path

from tqdm import tqdm

from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.text import iter_lines, write_lines
from stages.segmenting.byte_pairs import Segmenter, learn
from stages.settings.corpora import SegmentationSettings
from stages.text.words import count_words


def copy(text: Path, out: Path) -> None:
    """`words`: the text of every set as it is."""
    with new_folder(out) as folder:
        for part, language in _parts(text):
            shutil.copyfile(text / f"{part}.{language}", folder / f"{part}.{language}")


def segment(text: Path, settings: SegmentationSettings, out: Path) -> None:
    """Learn merges on `train` and write codes and the segmented sets to the folder `out`, whole or not at all.

    One table for both languages (`codes`) if `joint`, else one each (`codes.<lang>`). With a vocabulary threshold n,
    pieces that occur less than n times in the segmented training text of a language are cut further in it. With
    BPE-dropout `train` is cut at random, and nothing else.

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
            cut, dropout = segmenters[language], settings.bpe_dropout
            if part == "train" and dropout is not None:
                pieces = cut.with_dropout(lines, dropout.probability, dropout.seed)
            else:
                pieces = map(cut.segment, lines)
            write_lines(folder / f"{part}.{language}", pieces)


def _parts(text: Path) -> list[tuple[str, str]]:
    """Every (set, language) in the folder of the corpus stage."""
    corpus = read_corpus_record(text)
    return [(part, language) for part in ("train", *corpus.held_out) for language in corpus.languages]
