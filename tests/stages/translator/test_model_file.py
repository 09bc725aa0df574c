"""A system in a file translates as the one that it was made of, wherever the project is, and nothing else is let in."""

import io
import json
import re
import shutil
from argparse import Namespace
from pathlib import Path

import pytest
import torch
import yaml

from fairseq_plugins import compat, readers  # noqa: F401  compat makes fairseq importable
from stages.files.errors import InputError
from stages.releasing.archive import opened, write_archive
from stages.releasing.model_file import ABOUT, KIND, MODEL, SUFFIX, write_model
from stages.translating.load import load_system
from stages.translator.choose import opened_system
from tests.helpers import tiny
from tests.stages.translator.conftest import SYSTEMS, given

from fairseq import checkpoint_utils

pytestmark = pytest.mark.training

PLACE = Path("reports/released/tiny/forward-bpe")
STAR = PLACE / f"rnnsearch_star-1{SUFFIX}"
LINE = "mao ba yu chi .\n"


@pytest.fixture
def elsewhere(released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, translate) -> Path:
    """A copy of the folder `released`, which is the working directory."""
    root = tmp_path / "elsewhere"
    shutil.copytree(released, root)
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_translates_as_the_whole_weights_do(translate, released, monkeypatch, system):
    expected = [json.loads(line) for line in translate(given(), "--form", "json", system=system).splitlines()]
    monkeypatch.chdir(released)
    file = str(PLACE / f"{system}-1{SUFFIX}")
    found = [json.loads(line) for line in translate(given(), "--form", "json", "--model", file, system="").splitlines()]
    same = 0
    for one, other in zip(found, expected, strict=True):
        (mine,), (whole,) = one["translations"], other["translations"]
        same += mine["text"] == whole["text"]
        if mine["text"] == whole["text"]:
            assert mine["score"] == pytest.approx(whole["score"], abs=0.01)
    assert same >= len(expected) - 1  # of 13, by systems that have hardly learnt


def test_weights_are_read_as_fp32(translated, released, monkeypatch):
    monkeypatch.chdir(released)
    with tiny.quiet(), opened_system("", None, None, STAR) as chosen:
        parameters = load_system(chosen.model, chosen.data).model.cpu().state_dict()
    whole = torch.load(translated.root / f"work/tiny/forward-bpe/models/rnnsearch_star/1/{MODEL}", weights_only=True)
    assert parameters.keys() == whole["model"].keys()
    for name, weight in whole["model"].items():
        assert parameters[name].dtype == torch.float32
        assert torch.equal(parameters[name], weight.half().float())


def used(capsys) -> str:
    """What was said of the system."""
    return capsys.readouterr().err.splitlines()[0]


@pytest.mark.parametrize(
    ("system", "options", "file"),
    [
        ("", [], "my_combination-1"),  # the first
        ("rnnsearch_star", [], "rnnsearch_star-1"),
        ("rnnsearch_star", ["--study", "tiny"], "rnnsearch_star-1"),
        ("rnnencdec", ["--study", "tiny", "--seed", "1"], "rnnencdec-1"),
        ("", ["--study", "tiny"], "my_combination-1"),
        ("", ["--model", str(STAR)], "rnnsearch_star-1"),
    ],
)
def test_which_file_is_used_where_nothing_is_trained(translate, elsewhere, capsys, system, options, file):
    assert translate(LINE, *options, system=system).count("\n") == 1
    assert used(capsys).endswith(f", seed 1, zh -> en: {PLACE}/{file}{SUFFIX}")


def test_what_is_trained_here_comes_first_if_it_is_named(
    translate, translated, released, tmp_path, monkeypatch, capsys
):
    shutil.copytree(translated.root, tmp_path / "both")
    shutil.copytree(released / "reports", tmp_path / "both/reports")
    monkeypatch.chdir(tmp_path / "both")
    translate(LINE)
    assert used(capsys).endswith("trained here, work/tiny/forward-bpe/models/rnnsearch_star/1")
    translate(LINE, system="")
    assert used(capsys).endswith(f"my_combination-1{SUFFIX}")
    Path("work/tiny/forward-bpe/models/rnnsearch_star/1/model.pt").unlink()
    translate(LINE)
    assert used(capsys).endswith(f"{STAR}")


@pytest.mark.parametrize(
    ("system", "options", "message"),
    [
        ("ba_nmt", [], r"another/.*ba_nmt/3/model\.pt is missing: `make repro SYSTEMS=ba_nmt`"),
        (
            "ba_nmt",
            ["--study", "tiny"],
            r"tiny/.*ba_nmt/1/model\.pt is missing: `make repro STUDY=tiny SYSTEMS=ba_nmt`",
        ),
        ("rnnsearch_star", ["--study", "other"], "study other has no system 'rnnsearch_star'"),
        ("rnnsearch_star", ["--seed", "2"], "study other has no system 'rnnsearch_star'"),
        ("", ["--study", "other"], "which system is to translate"),
        ("", ["--seed", "7"], "which system is to translate"),
    ],
)
def test_a_system_that_is_not_there_lists_all_that_are(translate, elsewhere, system, options, message):
    files = ", ".join(f"{PLACE}/{name}-1{SUFFIX}" for name in sorted(SYSTEMS))
    with pytest.raises(InputError, match=f"{message}.*; ready to translate as files .MODEL=….: {re.escape(files)}$"):
        translate(LINE, *options, system=system)


def test_trained_systems_are_listed_by_study_and_seed(translate, translated, tmp_path, monkeypatch):
    shutil.copytree(translated.root, tmp_path / "more", symlinks=True)
    monkeypatch.chdir(tmp_path / "more")
    content = tiny.params()
    content["seeds"] = [1, 2]
    Path("params.yaml").unlink()
    Path("params.yaml").write_text(json.dumps(content))
    models = Path("work/tiny/forward-bpe/models")
    shutil.copytree(models / "rnnencdec/1", models / "rnnencdec/2", symlinks=True)
    with pytest.raises(InputError) as error:
        translate(LINE, system="ba_nmt")
    assert str(error.value).endswith(
        "; ready to translate of study tiny: rnnsearch_star, my_combination, rnnencdec (SEED=1/2)"
    )
    shutil.rmtree(models)
    with pytest.raises(InputError, match=r"; no system is ready to translate$"):
        translate(LINE)


def test_what_comes_released_says_which_command_trains_it(translate, elsewhere):
    content = yaml.safe_load(Path("params.yaml").read_text())
    content |= {"systems": [], "released": {"ba_nmt": None, "one_epoch": None}}
    Path("params.yaml").write_text(yaml.safe_dump(content, sort_keys=False))
    train = r"`make repro STUDY=other SYSTEMS="
    for system, message in (
        ("ba_nmt", rf"ba_nmt in study other come from .*released, without a model; {train}ba_nmt` trains it"),
        ("", rf"study other come from .*released, without models; {train}…` trains one"),
        ("ba_nm", r"did you mean ba_nmt\? It has ba_nmt, one_epoch; another study"),
    ):
        with pytest.raises(InputError, match=message):
            translate(LINE, "--seed", "3", system=system)
    with pytest.raises(InputError, match=rf"ba_nmt/3/model.pt is missing: {train}ba_nmt` makes"):
        translate(LINE, "--study", "other", system="ba_nmt")


def test_a_file_says_itself_which_system_it_is(translate, elsewhere):
    for options in (["--study", "tiny"], ["--seed", "1"]):
        with pytest.raises(InputError, match=r"leave out SYSTEM, STUDY and SEED"):
            translate(LINE, "--model", str(STAR), *options, system="")
    with pytest.raises(InputError, match=r"says which system it is"):
        translate(LINE, "--model", str(STAR))
    with pytest.raises(InputError, match=rf"the search of {STAR} keeps 3 hypotheses, so NBEST cannot be 4"):
        translate(LINE, "--model", str(STAR), "--nbest", "4", system="")


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.99])
def test_a_file_that_was_cut_off_is_one_sentence(translate, elsewhere, share):
    data = STAR.read_bytes()
    STAR.write_bytes(data[: int(share * len(data))])
    refused(translate, rf"^{STAR}.*(truncated|damaged|is no model)")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (MODEL, None, "model.pt has another sha256 sum than it was written with; get it again"),
        ("codes.zh", b"#version: 0.2\n", "codes.zh has another sha256 sum"),
        ("translations/x", b"x", "translations/x has another sha256 sum"),
        ("more", b"x", "more has another sha256 sum"),
        (ABOUT, b"[]", "is no model: it does not begin with about.json"),
        (ABOUT, b'{"format": 2}', "is of format 2, and this version of the project reads 1; update the project"),
        (ABOUT, b'{"format": 1}', "about.json.variant: missing key"),
        ("../outside", b"x", "'../outside', which is no file of a model"),
        ("a/b", b"x", "which is no file of a model"),
    ],
)
def test_a_file_with_something_else_in_it_is_refused(translate, elsewhere, name, content, message):
    files = members()
    files[name] = files[name][:-1] + b"x" if content is None else content
    write_archive(STAR, files)
    refused(translate, re.escape(message))
    assert not (elsewhere / "outside").exists()


def test_a_file_that_lacks_something_is_refused(translate, elsewhere):
    for name in (MODEL, "dict.en.txt", "codes.zh", "stats.json", "lexicon.source-target.tsv"):
        files = members()
        about = json.loads(files.pop(ABOUT))
        rest = {other: data for other, data in files.items() if other != name}
        write_archive(STAR, {ABOUT: json.dumps(about).encode(), **rest})
        refused(translate, f"{name} has another sha256 sum")
        write_model(STAR, about, rest)
        refused(translate, f"{STAR} lacks {name}; get it again")
        write_model(STAR, about, files)


def test_files_that_nobody_reads_do_no_harm(translate, elsewhere):
    expected = translate(LINE, "--model", str(STAR), system="")
    files = members()
    write_model(STAR, json.loads(files.pop(ABOUT)), files | {"translations/x": b"x", "y": b"y"})
    assert translate(LINE, "--model", str(STAR), system="") == expected


def test_other_files_are_refused(translate, elsewhere):
    refused(translate, "absent: no such file; correct MODEL=…, or leave it out: ready to translate", "absent")
    Path("text").write_text("a text\n")
    refused(translate, "^text is no archive of a model", "text")
    results = PLACE / "rnnsearch_star-1.tar.xz"
    write_archive(results, {ABOUT: b'{"variant": "rnnsearch_star"}'})
    refused(translate, "holds the results of a training, not a model; .* ends in .model.tar.xz", str(results))


class Harm:
    def __reduce__(self):
        return (print, ("harm",))


def hostile(change) -> None:
    """A file with the right sums, and a model that was changed."""
    files = members()
    about = json.loads(files.pop(ABOUT))
    content = torch.load(io.BytesIO(files[MODEL]), weights_only=False)
    change(content)
    written = io.BytesIO()
    torch.save(content, written)
    write_model(STAR, about, files | {MODEL: written.getvalue()})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.update(extra=Harm()), "refused, because it holds .*print, which could run code"),
        (lambda content: content["cfg"]["model"].__dict__.update(arch="fconv", encoder_layers="[print()]"), "no word"),
        (lambda content: content["cfg"]["model"].__dict__.update(embed_dim="print()"), "the setting embed_dim is"),
        (lambda content: content["cfg"]["task"].update(_name="speech_to_text"), "another task than translation"),
        (lambda content: content["cfg"]["task"].update(eval_bleu=True), r"another task .* \(eval_bleu\)"),
        (
            lambda content: content["cfg"]["task"].update(source_lang="../x"),
            r"translation from zh to en \(source_lang\)",
        ),
        (
            lambda content: content["cfg"]["model"].__dict__.update(arch="newer"),
            "cannot build rnnsearch_star from it .There",
        ),
        (
            lambda content: content["cfg"]["model"].__dict__.update(embed_dim=17),
            r"cannot build .*state_dict.*; update the",
        ),
        (lambda content: content["model"].pop("encoder.embed_tokens.weight"), "cannot build"),
        (lambda content: content.update(cfg={}), "holds a model without settings"),
        (lambda content: content.update(model={"x": 1}), "not a checkpoint, or damaged"),
    ],
)
def test_a_model_that_is_more_than_weights_is_refused(translate, elsewhere, capsys, change, message):
    hostile(change)
    refused(translate, f"{STAR}.*{message}")
    assert "harm" not in capsys.readouterr().out


def test_where_the_readers_are_guarded_the_refusal_is_the_same(translate, elsewhere, monkeypatch):
    guarded = readers._models(checkpoint_utils.load_model_ensemble_and_task)
    monkeypatch.setattr(checkpoint_utils, "load_model_ensemble_and_task", guarded)
    hostile(lambda content: content["cfg"]["model"].__dict__.update(embed_dim=17))
    refused(translate, f"{STAR}.*cannot build .*state_dict.*; update the")


def test_nothing_is_left_behind(translate, elsewhere, tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    translate(LINE, "--model", str(STAR), system="")
    hostile(lambda content: content.update(extra=Namespace(a=Harm())))
    refused(translate, "could run code")
    assert list(temporary.iterdir()) == []


def members() -> dict[str, bytes]:
    with opened(STAR, KIND) as found:
        return dict(found)


def refused(translate, message: str, file: str = str(STAR)) -> None:
    with pytest.raises(InputError, match=message) as error:
        translate(LINE, "--model", file, system="")
    assert "\n" not in str(error.value) and file in str(error.value) and "/tmp" not in str(error.value)
