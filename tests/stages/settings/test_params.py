"""params.yaml: the committed file is valid, and what its settings become."""

import re
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from stages.settings.corpora import Language
from stages.settings.languages import languages
from stages.settings.params import read
from stages.settings.schema import Params, check, load
from stages.settings.systems import line, origin, study_systems
from stages.settings.training import Training
from stages.settings.variants import training_settings, variant
from stages.training.arguments import training_arguments
from stages.training.check import check_models
from tests.helpers import committed
from tests.helpers.paths import ROOT
from tests.stages.settings.edited import edited, refused

# The committed file


def test_the_committed_file_is_valid(monkeypatch):
    monkeypatch.chdir(ROOT)
    content = load()
    assert isinstance(content, Params)
    check_models(content)


@pytest.mark.parametrize(
    "name",
    [one if one == "demo" else pytest.param(one, marks=pytest.mark.slow) for one in committed.params()["studies"]],
)
def test_every_study_can_be_chosen_with_one_line(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text(committed.choosing(f"<<: *{name}"), encoding="utf-8")
    content, read_once = load(), read()
    check_models(content)
    found = study_systems()
    assert found.study == content.study == name
    assert list(found.variants) == [*content.systems, *content.fine_tuned, *content.decoded] == content.neural
    written = committed.params()["studies"][name]
    assert {*found.variants} == {*written["systems"], *written["fine_tuned"], *written["decoded"]}
    for system in found.variants:
        assert isinstance(training_settings(content.corpus, system, read_once), Training)


def test_every_system_is_in_a_set_or_a_study():
    content = committed.params()
    lists = [*content["sets"].values(), *content["fine_tuned_sets"].values()]
    lists += [study[key] for study in content["studies"].values() for key in ("systems", "fine_tuned", "decoded")]
    listed = {name for names in lists for name in names}
    assert sorted(listed) == sorted(content["variants"])


def test_fine_tuning_stands_between_the_corpus_and_the_system(write):
    write("corpora/demo/fine_tuning", {"max_epoch": 5, "lr": 0.5})
    assert training_settings("demo", "bridging_direct").max_epoch == 3
    epochs = [
        training_settings("demo", name, None, True).max_epoch for name in ("bridging_direct", "rnnsearch_50_long")
    ]
    assert (epochs, training_settings("demo", "bridging_direct", None, True).lr) == ([5, 6], 0.5)


@pytest.mark.parametrize(("key", "value"), [("max_epochs", 3), ("supervision", "links"), ("max_epoch", 0)])
def test_fine_tuning_holds_keys_of_training(write, key, value):
    write("corpora/demo/fine_tuning", {key: value})
    assert "corpora.demo.fine_tuning" in refused(load) and key in refused(load)


@pytest.mark.parametrize("corpus", [None, "demo", "zh-en"])
def test_training_is_checked_as_the_system_is_trained(corpus):
    """One that this study does not train there may be right in either way."""

    def settings(name):
        own = {"training": {"lr_shrink": 0.3}}
        content = edited(f"variants/{name}", {"arch": "ba_nmt"} | ({"by_corpus": {corpus: own}} if corpus else own))
        for of in (content["corpora"][one] for one in ("demo", "zh-en")):
            of["training"] |= {"anneal_epoch": None, "lr_shrink": None}
            of["fine_tuning"] = {"anneal_epoch": 1, "lr_shrink": 0.5}
        return content

    check(settings("bridging_direct"))
    check(settings("rnnsearch_star_no_repeats"))
    if corpus != "zh-en":
        assert re.search(r"variants\.ba_nmt\.training .*set both, or both to null", refused(check, settings("ba_nmt")))


def test_a_key_at_the_top_level_wins_over_the_study(write):
    write("seeds", [4, 5])
    assert study_systems().seeds == [4, 5]


# What the settings become


def test_a_variant_overrides_the_training_of_its_corpus(write):
    write("variants/ba_nmt/training", {"lr": 0.25})
    own, shared = training_settings("demo", "ba_nmt"), training_settings("demo", "sa_nmt")
    assert own.lr == 0.25 != shared.lr
    assert own.model_copy(update={"lr": shared.lr}) == shared


def test_a_variant_overrides_the_training_of_one_corpus(write):
    on_demo = {"by_corpus": {"demo": {"training": {"lr": 0.5}}, "zh-en": {}}}
    write("variants/ba_nmt", {"arch": "ba_nmt", "training": {"lr": 0.25, "clip_norm": 2.0}} | on_demo)
    rates = {corpus: training_settings(corpus, "ba_nmt").lr for corpus in ("demo", "zh-en", "hansards-en-fr")}
    assert rates == {"demo": 0.5, "zh-en": 0.25, "hansards-en-fr": 0.25}
    assert training_settings("demo", "ba_nmt").clip_norm == 2.0
    assert training_settings("demo", "ba_nmt", fine_tuned=True).lr == 0.5


def test_a_variant_has_other_options_on_one_corpus(write):
    write("variants/ba_nmt", {"arch": "ba_nmt", "init_range": 0.2, "by_corpus": {"demo": {"init_range": 0.3}}})
    models = {corpus: variant("ba_nmt").on(corpus).model for corpus in ("demo", "zh-en")}
    assert {corpus: model.options() for corpus, model in models.items()} == {
        "demo": {"init_range": 0.3}, "zh-en": {"init_range": 0.2},
    }  # fmt: skip
    assert {model.arch for model in models.values()} == {"ba_nmt"}
    assert study_systems().variants["ba_nmt"].model == models["demo"]


@pytest.mark.parametrize(("precision", "flag"), [("fp32", None), ("bf16", "--bf16"), ("fp16", "--fp16")])
def test_training_settings_become_arguments_of_fairseq(write, precision, flag):
    write()
    settings = training_settings("demo", "ba_nmt").model_copy(update={"precision": precision, "lr_scheduler": "fixed"})
    arguments = training_arguments(settings, 7, Path("bin"), Path("scratch"), ("zh", "en"))
    following = dict(zip(arguments, [*arguments[1:], ""], strict=True))
    assert arguments[0] == "bin"
    assert (following["--seed"], following["--source-lang"], following["--save-dir"]) == ("7", "zh", "scratch")
    assert following["--lr"] == str(settings.lr) and following["--clip-norm"] == str(settings.clip_norm)
    assert following["--warmup-updates"] == str(settings.warmup_updates)
    assert ("--force-anneal" in arguments) == (settings.anneal_epoch is not None)
    assert [name for name in arguments if name in ("--bf16", "--fp16")] == ([flag] if flag else [])


@pytest.mark.parametrize("code", ["pt", "pt-BR", "pt_PT", "pt-Latn-BR"])
def test_scripts_and_regions_are_cut_off_languages(write, code):
    assert TypeAdapter(Language).validate_python(code) == "pt"
    write("corpora/demo/corpus/source", code)
    assert languages("demo", "forward") == ("pt", "en")


@pytest.mark.parametrize("code", ["PT", "portuguese", "pt-", "-BR", "pt BR", "p"])
def test_what_is_no_language(code):
    with pytest.raises(ValidationError):
        TypeAdapter(Language).validate_python(code)


def test_direction_turns_the_languages(write):
    write()
    assert languages("demo", "forward") == ("zh", "en")
    assert languages("demo", "reverse") == ("en", "zh")


def test_settings_do_not_change():
    settings = Training(**committed.params()["corpora"]["demo"]["training"])
    with pytest.raises(ValueError, match="frozen"):
        settings.lr = 1


def test_a_system_goes_back_to_what_all_before_it_start_from():
    bases = {"c": "b", "b": "a"}
    assert [origin(name, bases) for name in "abcd"] == ["a", "a", "a", "d"]
    assert line("c", bases) == ["c", "b", "a"]


def test_a_line_that_goes_in_a_circle_ends():
    assert line("a", {"a": "b", "b": "a"}) == ["a", "b", "a"] and line("a", {"a": "a"}) == ["a", "a"]
    assert line("a", {"a": "b", "b": "c", "c": "b"}) == ["a", "b", "c"]
