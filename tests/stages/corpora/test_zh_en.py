"""The Chinese-English publications: their addresses, and their files as published, whole and damaged."""

import hashlib

import pytest

from stages.corpora import mix
from stages.corpora.download import Archive, Publication, Sources, provide
from stages.corpora.zh_en import tvsub
from stages.files.errors import InputError
from tests.helpers.archives import tar_gz
from tests.helpers.corpora.published_zh_en import PUBLISHED, TVSUB


def archive_of(corpus: str, file: str) -> Archive:
    (found,) = (one for one in mix.PUBLICATIONS[corpus].archives if one.url.rsplit("/", 1)[1] == file)
    return found


def extracted(tmp_path, corpus: str, file: str, content: str) -> dict[str, list[str]]:
    path = tmp_path / file
    path.write_text(content, encoding="utf-8")
    return {name: list(lines) for name, lines in archive_of(corpus, file).extract(path).items()}


def test_every_text_has_one_address_of_one_commit_and_its_sha256():
    for publication in mix.PUBLICATIONS.values():
        names = [name for archive in publication.archives for name in archive.names]
        assert sorted(names) == sorted({name for name in publication.sha256 if not name.endswith((".gz", ".xz"))})
        assert all(archive.url.startswith("https://github.com/") for archive in publication.archives)
    assert archive_of("3am", "val.zh").names == ("dev.zh",)
    assert archive_of("newstest", "newstest2019.en").url.endswith("/wmt_newstest/2019/zh-en/newstest2019.en")


@pytest.mark.parametrize(
    ("corpus", "file", "texts"),
    [
        ("3am", "train.en", {"train.en": ["A  dog.", "Two dogs."]}),
        ("newstest", "newstest2018.zh", {"newstest2018.zh": ["上周。"]}),
        ("news_commentary", "train_10k.jsonl", {"train.en": ["One."], "train.zh": ["一。"]}),
        (
            "tatoeba",
            "cmn.txt",
            {
                **{"train.en": ["Hi.", "Run!"], "train.zh": ["嗨。", "跑！"]},
                **{"train.attribution": ["CC-BY 2.0 (France) A", "CC-BY 2.0 (France) B"]},
            },
        ),
        ("tsinghua", "zhen.src-tgt", {"gold.zh": ["一 只 狗", "走"], "gold.en": ["a dog", "go"]}),
        ("tsinghua", "zhen.gold", {"gold.align": ["0-0 1?0 2-1", "0-0"]}),
    ],
)
def test_a_published_file(tmp_path, corpus, file, texts):
    assert extracted(tmp_path, corpus, file, PUBLISHED[corpus][file]) == texts


@pytest.mark.parametrize(
    ("corpus", "file", "content", "message"),
    [
        ("news_commentary", "train_10k.jsonl", '{"en": "a"}\n', "line 1: no JSON object with text under 'zh'"),
        ("news_commentary", "train_10k.jsonl", '{"en": "a", "zh": "b"}\n{"en"', "line 2: no JSON object"),
        ("news_commentary", "train_10k.jsonl", '["en", "zh"]\n', "line 1: no JSON object"),
        ("news_commentary", "train_10k.jsonl", '{"en": 1, "zh": "b"}\n', "line 1: no JSON object with text under 'en'"),
        ("tatoeba", "cmn.txt", "Hi.\t嗨。\tA\nRun!\t跑！\n", "cmn.txt, line 2: 2 columns where 3 are published"),
        ("tsinghua", "zhen.src-tgt", "一 | a\n", "line 1: 1 columns where 2 are published"),
        ("tsinghua", "zhen.gold", "1-1\n1-0\n", "zhen.gold, line 2: '1-0' is not a link"),
        ("tsinghua", "zhen.gold", "1?1\n", "line 1: '1?1' is not a link"),
    ],
)
def test_a_damaged_file(tmp_path, corpus, file, content, message):
    with pytest.raises(InputError) as error:
        extracted(tmp_path, corpus, file, content)
    assert message in str(error.value) and str(tmp_path / file) in str(error.value)


def test_text_that_is_not_utf_8(tmp_path):
    path = tmp_path / "train.en"
    path.write_bytes(b"caf\xe9\n")
    with pytest.raises(InputError, match=r"train\.en: not UTF-8"):
        archive_of("3am", "train.en").extract(path)


def test_tvsub_joins_episodes_by_number_and_references_by_translator(tmp_path):
    texts = tvsub.extract(tar_gz(tmp_path / "tvsub.tar.gz", TVSUB))
    assert {name: list(lines) for name, lines in texts.items()} == {
        **{"train.en": ["Second.", "Tenth."], "train.zh": ["第二", "第十 集"]},
        **{"dev.zh": ["好", "是吗?"], "test.zh": ["谢谢"], "dev.tok.en": ["okay .", "it &apos;s so ?"]},
        **{f"test.tok.en.ref{k}": [f"thanks , {k + 1} ."] for k in range(3)},
    }
    assert set(texts) == set(tvsub.TEXTS)


SEPARATED = "tvsub-1/data/orignal/train/separated"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({f"{SEPARATED}/2.en": "Second.\nMore.\n"}, r"files 2\.en and 2\.zh are not a pair: \[2, 1\] lines"),
        ({f"{SEPARATED}/3.en": "No Chinese.\n"}, r"files 3\.en and 3\.zh are not a pair: \[1, 0\] lines"),
        ({"tvsub-1/data/processed/test/test_trg.sgm": "<refset></refset>"}, r"test_trg\.sgm: cut off, or without <doc"),
        (
            {"tvsub-1/data/processed/test/test_trg.sgm": TVSUB["tvsub-1/data/processed/dev/dev_trg.sgm"]},
            r"test_trg\.sgm has 1 references where 3 are published",
        ),
    ],
)
def test_a_damaged_tvsub(tmp_path, change, message):
    with pytest.raises(InputError, match=message):
        tvsub.extract(tar_gz(tmp_path / "tvsub.tar.gz", TVSUB | change))


def test_tvsub_without_a_file(tmp_path):
    members = {name: text for name, text in TVSUB.items() if not name.endswith("dev.orignal.zh")}
    with pytest.raises(InputError, match=r"has no file dev\.orignal\.zh"):
        tvsub.extract(tar_gz(tmp_path / "tvsub.tar.gz", members))


def test_a_download_does_not_take_the_name_of_its_text(tmp_path):
    """`train.en` is published under the name of the text that is made of it."""
    archive = archive_of("3am", "train.en")
    folder = tmp_path / "3am-zh-en"
    folder.mkdir()
    (folder / archive.file).write_bytes(b"A dog.\x1e\n")
    text = b"A dog.\n"
    sha256 = {"train.en": hashlib.sha256(text).hexdigest()}
    files = provide(Publication("3am-zh-en", sha256, (archive,)), ["train.en"], Sources(None, tmp_path))
    assert files["train.en"].read_bytes() == text
    assert (folder / archive.file).read_bytes() == b"A dog.\x1e\n" and archive.file == "published-train.en"
