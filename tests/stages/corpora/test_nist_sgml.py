"""NIST's SGML: as evaluations write it, damaged, and as a dev or test set of a corpus."""

import gzip

import pytest

from stages.corpora.nist_sgml import is_sgml, parse, read_sets
from stages.corpus import make
from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines
from stages.settings.corpora import CorpusSettings
from stages.settings.params import validate
from tests.helpers.corpora.made_up import COMMON, NOWHERE

SOURCE = """<srcset setid="mt02_chinese_evlset_v0" srclang="Chinese">
<DOC docid="AFP1" sysid="source">
<hl>
<seg id=1> 上周 </seg>
</hl>
<p>
<seg id="2"> 我冒犯
你了吗 </seg></p>
</DOC>
<DOC docid='XIN2' sysid='source'><seg id='1'>谢谢 &amp; 再见</seg></DOC>
</srcset>
"""


def references(*systems: str) -> str:
    documents = [
        f'<doc sysid="{system}" docid="XIN2" genre="nw"><seg id="1">Thanks &amp; &quot;bye&quot; {system}</seg></doc>\n'
        f'<doc docid="AFP1" sysid="{system}"><seg id="2">Have I?</seg>\n<seg id="1"> Last  week </seg></doc>\n'
        for system in systems
    ]
    return f'<refset setid="mt02" srclang="Chinese" trglang="English">\n{"".join(documents)}</refset>\n'


def test_nul_is_a_blank_as_in_lines(tmp_path):
    (tmp_path / "src.sgm").write_text(SOURCE.replace("谢谢", "\0谢\0谢"), encoding="utf-8")
    assert read_sets((tmp_path / "src.sgm",), (tmp_path / "src.sgm",))[0][0][2] == "谢 谢 & 再见"


@pytest.mark.parametrize(("tokenised", "text"), [(True, "␣ 10␣000 ␣ a"), (False, "10 000 a")])
def test_white_space_parts_words_as_in_lines(tmp_path, tokenised, text):
    (tmp_path / "src.sgm").write_text(SOURCE.replace("上周", "\u3000 10&#160;000\r\n&#xfeff;\ta "), encoding="utf-8")
    assert read_sets((tmp_path / "src.sgm",), (tmp_path / "src.sgm",), tokenised)[0][0][0] == text


def test_segments_in_the_order_of_the_file_by_translator():
    assert parse(SOURCE, "x") == {
        "source": {("AFP1", "1"): " 上周 ", ("AFP1", "2"): " 我冒犯\n你了吗 ", ("XIN2", "1"): "谢谢 &amp; 再见"}
    }
    assert list(parse(references("ahd", "ahe"), "x")) == ["ahd", "ahe"]
    assert parse('<tstset><doc docid="a"><seg id="1">b</seg></doc></tstset>', "x") == {"": {("a", "1"): "b"}}


@pytest.mark.parametrize(
    ("name", "sgml"),
    [
        ("a.sgm", True),
        ("a.SGML", True),
        ("a.sgm.gz", True),
        ("a.sgm.xz", True),
        ("b.a.sgm.bz2", True),
        ("sgm", False),
        ("a.sgm.en", False),
    ],
)
def test_suffixes(tmp_path, name, sgml):
    assert is_sgml(tmp_path / name) is sgml


def test_references_follow_the_source(tmp_path):
    files = {"src.sgm": SOURCE, "ref.sgm": references("ahd", "ahe"), "more.sgm": references("ahg")}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    source, target = read_sets((tmp_path / "src.sgm",), (tmp_path / "ref.sgm", tmp_path / "more.sgm"))
    assert source == [["上周", "我冒犯 你了吗", "谢谢 & 再见"]]
    assert target == [["Last week", "Have I?", f'Thanks & "bye" {system}'] for system in ("ahd", "ahe", "ahg")]


DAMAGED = [
    (references("a").replace('<seg id="2">Have I?</seg>', ""), r"ref\.sgm, a: no segment 2 of document AFP1"),
    (references("a").replace("Have I?", " "), r"ref\.sgm, a: an empty segment 2 of document AFP1"),
    (references("a", "b").replace("AFP1", "AFP2", 1), r"ref\.sgm, a: no segment 1 of document AFP1"),
    (references("a", "a"), r"line 5: segment 1 of document XIN2 for the second time"),
    (references("a").replace("</seg>", "", 1), r"line 2: </doc> within segment 1, which must end before"),
    (references("a").replace('id="1"', "", 1), r"line 2: a segment without id or outside a document"),
    (references("a").replace('docid="XIN2"', ""), r"line 2: a document without docid"),
    ("text </seg>", r"line 1: no segment ends here"),
    (references("a")[:60], r"ref\.sgm: cut off, or without <doc docid=…>"),
    (references("a")[:-60], r"ref\.sgm: cut off"),
    ("", r"ref\.sgm: cut off"),
]


@pytest.mark.parametrize(("text", "message"), DAMAGED)
def test_damaged_references(tmp_path, text, message):
    (tmp_path / "src.sgm").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "ref.sgm").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_sets((tmp_path / "src.sgm",), (tmp_path / "ref.sgm",))


@pytest.fixture
def nist(tmp_path):
    """A corpus like that of the papers, with four references in one file."""
    for name in ("src.sgm", "dev.sgm"):
        (tmp_path / name).write_text(SOURCE, encoding="utf-8")
    (tmp_path / "dev-ref.sgm").write_text(references("ahd"), encoding="utf-8")
    (tmp_path / "ref.sgm.gz").write_bytes(gzip.compress(references("ahd", "ahe", "ahg", "ahi").encode()))
    write_lines(tmp_path / "train.zh", ["我的天", "上周"])
    write_lines(tmp_path / "train.en", ["Oh, my.", "It was then."])
    dev = {"source": str(tmp_path / "dev.sgm"), "target": str(tmp_path / "dev-ref.sgm")}
    test = {"source": str(tmp_path / "src.sgm"), "target": str(tmp_path / "ref.sgm.gz")}
    return {
        **{"kind": "local", "source": "zh", "target": "en", **COMMON, "gold": None, "tokenised": False},
        "train": [str(tmp_path / "train.zh"), str(tmp_path / "train.en")],
        **{"dev": dev, "tests": {"mt02": test}},
    }


def test_a_corpus_with_sgml(tmp_path, nist):
    make("nist", validate(nist, CorpusSettings, "corpora.nist.corpus"), NOWHERE, tmp_path / "out")
    assert read_lines(tmp_path / "out" / "mt02.zh") == ("上周", "我 冒犯 你 了 吗", "谢谢 & 再见")
    assert read_lines(tmp_path / "out" / "mt02.en")[2] == 'Thanks & " bye " ahd'
    assert [read_lines(tmp_path / "out" / f"mt02.ref{k}.en")[2][-3:] for k in range(4)] == ["ahd", "ahe", "ahg", "ahi"]
    assert read_lines(tmp_path / "out" / "train.zh") == ("我 的 天",)  # the other pair stands in dev


def test_sgml_beside_plain_text(tmp_path, nist):
    write_lines(tmp_path / "dev.en", ["One.", "Two.", "Three."])
    nist["dev"] = nist["dev"] | {"target": str(tmp_path / "dev.en")}
    with pytest.raises(InputError, match=r"dev\.en has a sentence a line, but its set has SGML too"):
        make("nist", validate(nist, CorpusSettings, "corpora.nist.corpus"), NOWHERE, tmp_path / "out")


def test_sgml_that_is_not_utf_8(tmp_path, nist):
    (tmp_path / "src.sgm").write_bytes(SOURCE.encode("gb2312"))
    with pytest.raises(InputError, match=r"src\.sgm: byte \d+ \(0x\w\w\) is not UTF-8; convert the file"):
        make("nist", validate(nist, CorpusSettings, "corpora.nist.corpus"), NOWHERE, tmp_path / "out")
