"""The demo as a corpus folder."""

from stages.corpora.gold_set import parse_links
from stages.corpora.parallel import Sentence
from stages.files.text import read_lines
from tests.helpers.corpora.made_up import make_demo


def test_demo_corpus_folder(tmp_path):
    folders = [make_demo(tmp_path / name, seed=3, train=60, dev=5, test=6, gold=7) for name in ("one", "two")]
    texts = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders]
    assert texts[0] == texts[1]
    for part, size in {"dev": 5, "test": 6, "gold": 7}.items():
        for language in ("zh", "en"):
            words, tags = (read_lines(folders[0] / f"{part}.{kind}{language}") for kind in ("", "pos."))
            assert len(words) == size
            assert [len(line.split()) for line in words] == [len(line.split()) for line in tags]
    assert read_lines(folders[0] / "test.ref0.en") == read_lines(folders[0] / "test.en")
    sentences = map(Sentence, *(read_lines(folders[0] / f"gold.{language}") for language in ("zh", "en")))
    path = folders[0] / "gold.align"
    assert all(parse_links(path, read_lines(path), tuple(sentences), path))
