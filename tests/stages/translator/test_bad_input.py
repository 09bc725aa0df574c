"""Whatever is wrong with the text or the request is one sentence that says where and what to do."""

import gzip
import shutil

import pytest

from fairseq_plugins.core.model import RecurrentModel
from stages.files.errors import InputError
from stages.translator.sentence import Preparation
from tests.helpers import tiny

pytestmark = pytest.mark.training

LINE = "mao ba yu chi .\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--system", "rnnsearch_sta"], r"no system 'rnnsearch_sta'; did you mean rnnsearch_star.*\? It has .*ba_nmt"),
        (["--system", "q"], "study tiny has no system 'q'; it has rnnsearch_star"),
        (["--system", "smt"], "smt translates in reports only"),
        (["--system", ""], "which system is to translate"),
        (["--study", "tinny"], r"no study 'tinny' \(there are: tiny\); `make studies` .*; did you mean tiny\?"),
        (["--system", "ba_nmt"], r"ba_nmt/1/model\.pt is missing: `make repro SYSTEMS=ba_nmt` makes what .* `dvc pull"),
        (["--system", "unmoved"], r"`dvc pull --with-deps fine_tune@tiny-forward-bpe-unmoved-1` fetches it"),
        (["--seed", "7"], r"7/model\.pt is missing: add 7 to its seeds, which are 1; then `make repro"),
        (["--nbest", "4"], r"corpora\.tiny\.decoding keeps 3 hypotheses, so NBEST cannot be 4"),
        (["--input", "absent"], "absent: no such file"),
    ],
)
def test_requests(translate, arguments, message):
    with pytest.raises(InputError, match=message) as error:
        translate(LINE, *arguments)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "arguments", [["--nbest", "0"], ["--window", "x"], ["--scores", "yes"], ["--form", "xml"], ["--seed", "-1"]]
)
def test_options_without_a_meaning(translate, arguments, capsys):
    with pytest.raises(SystemExit) as end:
        translate(LINE, *arguments)
    assert end.value.code == 2
    assert f"error: {arguments[0].strip('-').upper()} ({arguments[0]}): " in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["bin/dict.en.txt", "bpe/codes.zh", "../wordalign/lexicon.source-target.tsv"])
def test_what_is_needed_beside_the_model(translated, translate, tmp_path, monkeypatch, missing):
    root = tmp_path / "copy"
    shutil.copytree(translated.root, root)
    (root / "work" / tiny.CORPUS / "forward-bpe" / missing).unlink()
    (tmp_path / "given").write_text(LINE)
    monkeypatch.chdir(root)
    with pytest.raises(
        InputError, match=rf"{missing.rpartition('/')[2]} is missing: `make repro SYSTEMS=rnnsearch_star`"
    ):
        translate(LINE)


def test_text_that_is_not_utf_8(translate):
    with pytest.raises(InputError, match=r"standard input, line 3: byte 2 of the line \(0xf6\) is not UTF-8"):
        translate(b"mao .\n\nK\xf6ter\n")


def test_a_line_without_an_end(translate):
    with pytest.raises(InputError, match=r"standard input, line 2: longer than 1,048,576 bytes"):
        translate(b"mao .\n" + b"x " * (1 << 20))


@pytest.mark.parametrize(
    ("line", "longest", "why"),
    [
        ("mao " * 9, 8, "line 2 has 18 pieces, more than 8"),
        ("q" * 1001, 99, "line 2 has a word of 1,001 characters, more than 1,000"),
        ("m " * 81, 8, "line 2 has 161 characters, more than 160"),
    ],
)
def test_a_line_over_the_limit_is_passed_through_and_named(translate, capsys, line, longest, why):
    found = translate(f"mao .\n{line}\nmao .\n", "--longest", str(longest)).splitlines()
    assert found[1] == line.strip() and found[0] == found[2] != "mao ."
    assert f"{why}: it is passed through as it is" in capsys.readouterr().err


def test_a_line_longer_than_the_model_can_read_is_passed_through_too(translate, monkeypatch, capsys):
    monkeypatch.setattr(RecurrentModel, "max_positions", lambda model: (9, 1024))  # with eos
    line = " ".join(["mao"] * 4)
    found = translate(f"{line}\n{line} mao\n", "--longest", "50").splitlines()
    assert found[1] == f"{line} mao" and found[0] != line
    assert "line 2 has 10 pieces, more than 8" in capsys.readouterr().err


def test_text_without_blanks_is_doubted_once(translate, capsys):
    translate("中国总统昨天访问了意大利和印度\n" * 3)
    assert capsys.readouterr().err.count("line 1 has no blanks between words") == 1


def test_text_of_another_language_is_doubted_once(translate, capsys):
    translate("mao ba .\nπράγματα μεγάλα και πολλά\nάλλα μικρά\n")
    said = capsys.readouterr().err
    assert said.count("line 2 is mostly unknown") == said.count("mostly unknown") == 1


def test_a_map_without_a_folder_is_refused_before_anything_is_translated(translate, tmp_path, monkeypatch):
    monkeypatch.setattr(Preparation, "__init__", None)
    with pytest.raises(InputError, match=r"absent: no such folder; make it, or correct MAP=…"):
        translate(LINE, "--map", str(tmp_path / "absent/map.png"))


@pytest.mark.parametrize("word", ["</s>", "<pad>", "<s>", "mao@@", "@@", "mao@@@@"])
def test_words_that_mean_something_to_the_machinery(translate, word):
    found = translate(f"mao {word} .\nmao .\n", "--form", "json").splitlines()
    assert len(found) == 2 and '"score": -' in found[0]
    assert '"source": ["mao", "' in found[0] and found[0].count('", "') >= 2


def test_files_plain_and_compressed(translate, tmp_path):
    plain, packed = tmp_path / "text", tmp_path / "text.gz"
    plain.write_text(LINE + "mao .")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    expected = translate(LINE + "mao .")
    assert expected.count("\n") == 2
    assert translate("", "--input", str(plain)) == translate("", "--input", str(packed)) == expected


def test_nothing_gives_nothing(translate):
    assert translate("") == ""
    assert translate(" \t\n\u2028\n") == "\n\n"
