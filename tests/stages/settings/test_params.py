"""params.yaml: the committed file is valid, and every mistake in it gets one sentence that names the key."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from stages.files.errors import InputError
from stages.settings.corpora import Language
from stages.settings.languages import languages
from stages.settings.params import read, section
from stages.settings.schema import Params, check, load
from stages.settings.systems import study_systems
from stages.settings.training import ModelSizes, Training
from stages.settings.variants import training_settings, variant
from stages.training.arguments import training_arguments
from stages.training.check import check_models
from stages.training.run import model_arguments_of
from tests.helpers import committed
from tests.helpers.paths import ROOT

REMOVED = object()
BASELINE = "rnnsearch_star"


def edited(key: str = "", value: Any = None, **parts: Any) -> dict[str, Any]:
    """The committed settings but for one key and parts."""
    content = committed.params() | parts
    if key:
        *above, last = key.split("/")
        node = content
        for name in above:
            node = node[name]
        if value is REMOVED:
            del node[last]
        else:
            node[last] = value
    return content


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A function that makes the edited settings those of the current folder."""
    monkeypatch.chdir(tmp_path)

    def write_params(*edit: Any, **parts: Any) -> None:
        content = edited(*edit, **parts)
        Path("params.yaml").write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")  # YAML too, at once

    return write_params


def alone(variant: str) -> dict[str, Any]:
    """The parts of a study of this system and the baseline."""
    return {"systems": sorted({BASELINE, variant}), "fine_tuned": {}, "also_reverse": []}


def refused(call, *args) -> str:
    """The one-line message with which ``call`` refuses its input."""
    with pytest.raises(InputError) as error:
        call(*args)
    message = str(error.value)
    assert "\n" not in message and len(message) < 3000
    return message


# The committed file


def test_the_committed_file_is_valid(monkeypatch):
    monkeypatch.chdir(ROOT)
    content = load()
    assert isinstance(content, Params)
    check_models(content)


@pytest.mark.parametrize("name", committed.params()["studies"])
def test_every_study_can_be_chosen_with_one_line(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text(committed.choosing(f"<<: *{name}"), encoding="utf-8")
    content, read_once = load(), read()
    check_models(content)
    found = study_systems()
    assert found.study == content.study == name
    assert list(found.variants) == [*content.systems, *content.fine_tuned, *content.decoded]
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


def test_a_key_at_the_top_level_wins_over_the_study(write):
    write("seeds", [4, 5])
    assert study_systems().seeds == [4, 5]


# Mistakes


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("sedes", [1], r"sedes: unknown key"),
        ("seeds", REMOVED, r"seeds: missing key"),
        ("seeds", 1, r"seeds: .*list.* \(is 1\)"),
        ("seeds", [], r"seeds: .*at least 1"),
        ("seeds", [1, -2], r"seeds\.1: .*greater than or equal to 0 \(is -2\)"),
        ("seeds", [3, 1, 3], r"seeds: 3 stands there twice"),
        ("studies/zh-en/corpus", "demmo", r"corpus, direction and segmentation make it work/demmo/forward-bpe"),
        ("direction", "backward", r"direction: .*'forward' or 'reverse' \(is 'backward'\)"),
        ("segmentation", "char", r"segmentation: .*\(is 'char'\)"),
        ("variants", {}, r"variants: .*at least 1"),
        ("run", "work/demo/reverse-bpe", r"run is 'work/demo/reverse-bpe', .* make it work/demo/forward-bpe"),
        ("studies/zh-en/run", "x", r"studies\.zh-en: run is 'x', .* make it work/zh-en/forward-bpe"),
        ("defaults/training/learning_rate", 1, r"defaults\.training\.learning_rate: unknown key"),
        ("variants/ba_nmt/title", "BA NMT", r"variants\.ba_nmt: title is 'BA NMT'; write a number, a word"),
        ("titles", REMOVED, r"titles: missing key"),
        ("titles/ba_nmt", "BA\nNMT", r"titles\.ba_nmt: a title is a line of text, without U\+000A"),
        ("titles/ba_nmmt", "BA-NMT", r"titles: there is no variant ba_nmmt; correct the spelling"),
        ("variants/ba_nmt", 1, r"variants\.ba_nmt: .*mapping"),
        ("variants/ba_nmt/by_corpus", 1, r"ba_nmt\.by_corpus: .*mapping"),
        ("variants/ba_nmt/by_corpus", {"demmo": {}}, r"by_corpus: there is no corpus demmo"),
        ("variants/ba_nmt/by_corpus", {"zh-en": {"embed_dim": 0}}, r"by_corpus\.zh-en: embed_dim is 0"),
        ("variants/ba_nmt/by_corpus", {"zh-en": {"arch": "sa_nmt"}}, r"by_corpus\.zh-en: arch cannot stand here"),
        ("variants/ba_nmt/training", None, r"variants\.ba_nmt\.training: .*mapping"),
        ("variants/ba_nmt/training", {"learning_rate": 1}, r"ba_nmt\.training.*\.learning_rate: unknown key"),
        ("variants/ba_nmt/training", {"lr": "fast"}, r"ba_nmt\.training.*\.lr: .*number.*\(is 'fast'\)"),
        ("variants/ba_nmt/by_corpus", {"zh-en": {"training": 1}}, r"by_corpus\.zh-en\.training: .*mapping"),
        (
            "variants/ba_nmt/by_corpus",
            {"zh-en": {"training": {"lr": 11}}},
            r"ba_nmt\.training over corpora\.zh-en.*\.lr: ",
        ),
        (
            "variants/ba_nmt/by_corpus",
            {"zh-en": {"training": {"supervision": "links"}}},
            r"by_corpus\.zh-en\.training: 'supervision' cannot stand here",
        ),
        ("variants/ba-nmt", {"arch": "ba_nmt"}, r"variants\.ba-nmt.*pattern"),
        ("variants/BaNmt", {"arch": "ba_nmt"}, r"variants\.BaNmt.*pattern"),
        ("seeds", [2**32], r"seeds\.0: .*less than 4294967296"),
        ("systems", ["ba_nmt", "nobody"], r"systems: there is no variant nobody \(there are: rnnencdec, "),
        ("systems", ["rnnsearch_star", "rnnsearch_star"], r"systems: rnnsearch_star stands there twice"),
        ("systems", [], r"systems: .*at least 1"),
        ("systems", "ba_nmt", r"systems: .*list"),
        ("systems", ["ba nmt; touch x"], r"systems\.0: .*pattern"),
        (
            "systems",
            ["sa_nmt"],
            r"fine_tuned: bridging_direct is initialised from rnnsearch_star, .* add it to systems",
        ),
        ("fine_tuned", {"nobody": "ba_nmt"}, r"fine_tuned: there is no variant nobody"),
        ("fine_tuned", {"sa_nmt": "ba_nmt"}, r"fine_tuned: sa_nmt stands in systems too"),
        ("fine_tuned", {"bridging_direct": "bridging_direct"}, r"bridging_direct is initialised from itself"),
        ("fine_tuned", ["bridging_direct"], r"fine_tuned: .*mapping, \{\} if nothing"),
        ("decoded", {"rnnsearch_star_ensemble": "nobody"}, r"decoded: .*shares the models of nobody"),
        ("decoded", {"sa_nmt": "ba_nmt"}, r"decoded: sa_nmt is trained by this study too"),
        ("decoded", {"dhea": "ba_nmt"}, r"decoded: dhea (is trained|has no decoding)"),
        ("decoded", {"rnnsearch_star_no_repeats": "ba_nmt"}, r"no_repeats is not the system ba_nmt but for decoding"),
        (
            "decoded",
            {"rnnsearch_star_ensemble": "rnnsearch_star"},
            r"ensemble takes 2 models, and there are 1 seeds; add a seed",
        ),
        ("fine_tuned", {"rnnsearch_star_no_repeats": "rnnsearch_star"}, r"can only stand in decoded"),
        ("variants/rnnsearch_star_no_repeats/decoding/no_repeat_ngram", 1, r"write at least 2, or 0 for none"),
        ("variants/rnnsearch_star_ensemble/decoding/ensemble", 0, r"decoding\.ensemble"),
        ("variants/rnnsearch_star_coverage_penalty/decoding/coverage_penalty", [], r"decoding\.coverage_penalty"),
        (
            "also_reverse",
            ["supervised_attention"],
            r"also_reverse: supervised_attention learns from links, .* take it off",
        ),
        ("also_reverse", ["nobody"], r"also_reverse: there is no variant nobody"),
        ("also_reverse", ["bridging_direct"], r"also_reverse: bridging_direct must stand in systems"),
        ("read_outs", ["nobody"], r"read_outs: there is no variant nobody"),
        ("read_outs", ["sparsemax_attention"], r"read_outs: sparsemax_attention must stand in systems or fine_tuned"),
        ("read_outs", ["ba_nmt", "ba_nmt"], r"read_outs: ba_nmt stands there twice"),
        ("training_sizes", ["demo"], r"training_sizes: demo is this study itself"),
        ("training_sizes", ["tiny"], r"training_sizes: there is no study tiny \(there are: .*demo, "),
        ("released", REMOVED, r"released.*missing"),
        ("released", {"nobody": None}, r"released: there is no variant nobody"),
        ("released", {"ba_nmt": None}, r"released: ba_nmt is trained by this study too; take it off one of the lists"),
        (
            "released",
            {"transformer": "lvnmt_covemb_gru"},
            r"released: transformer was initialised from lvnmt_covemb_gru",
        ),
        ("released", {"transformer": 1}, r"released\.transformer: .*string"),
        ("released", ["transformer"], r"released: .*mapping, \{\} if nothing"),
        ("study", "released", r"study: .*choose another name"),
        ("study", "$(touch x)", r"study: .*pattern"),
        ("study", "provenance", r"study: .*choose another name"),
        ("studies/demo/study", "other", r"studies\.demo\.study is other; write the name of the block there"),
        ("studies/demo-small/systems", ["BA"], r"studies\.demo-small\.systems\.0: .*pattern"),
        ("corpora/demo/training/max_epochs", 3, r"corpora\.demo\.training\.max_epochs: unknown key"),
        ("corpora/demo/training/max_epoch", REMOVED, r"corpora\.demo\.training\.max_epoch: missing key"),
        ("corpora/demo/training/max_epoch", "ten", r"corpora\.demo\.training\.max_epoch: .*integer.*\(is 'ten'\)"),
        ("corpora/demo/training/max_epoch", 0, r"corpora\.demo\.training\.max_epoch: .*greater than 0"),
        ("corpora/demo/decoding/beam", 2.5, r"corpora\.demo\.decoding\.beam: .*integer.*\(is 2\.5\)"),
        ("corpora/demo/model/embed_dropout", 1, r"corpora\.demo\.model\.embed_dropout: .*less than 1"),
        (
            "corpora/demo/corpus/kind",
            "demmo",
            r"corpora\.demo\.corpus: kind should be one of 'demo',.* \(is 'demmo'\)",
        ),
        ("corpora/demo/score", REMOVED, r"corpora\.demo\.score: missing key"),
        ("corpora/hansards-en-fr/corpus/max_length", "x", r"corpora\.hansards-en-fr\.corpus\..*max_length: .*integer"),
    ],
)
def test_mistakes_are_named(key, value, message):
    assert re.search(r"^params\.yaml: .*" + message, refused(check, edited(key, value)))


@pytest.mark.parametrize(
    ("variant", "key", "value", "message"),
    [
        ("ba_nmt", "historydim", 3, "ba_nmt has no option historydim; it has: .*history_dim"),
        ("ba_nmt", "arch", "ba_nm", "no architecture 'ba_nm'.*ba_nmt"),
        ("ba_nmt", "hidden_dim", "wide", "--hidden-dim: .*'wide'"),
        ("ba_nmt", "readout", "relu", "--readout: .*'relu'"),
        ("rnnsearch_star", "terms", ["source_history"], "only a combination"),
        ("ba_nmt", "by_corpus", {"zh-en": {"wings": 2}}, "ba_nmt has no option wings"),  # of a corpus not chosen
        ("transformer_small", "encoder_layer", 2, "transformer has no option encoder_layer; it has: .*encoder_layers"),
        ("transformer_small", "user_dir", "folder", "transformer has no option user_dir"),
        ("transformer_small", "user_di", "folder", "transformer has no option user_di"),
        ("transformer_small", "max_epoch", 2, "transformer has no option max_epoch"),
        ("transformer_small", "encoder_embed_path", "vectors", "transformer has no option encoder_embed_path"),
        ("transformer_small", "encoder_layers", False, "encoder_layers is False; write a number or a word"),
        ("transformer_small", "no_scale_embedding", 3, "no_scale_embedding is 3; write true or false"),
        ("transformer_small", "encoder_attention_heads", 3, "divisible"),
        (
            "transformer_small",
            "encoder_ffn_embed_dim",
            2**16 + 1,
            "encoder_ffn_embed_dim is 65537; write a number from 1 to",
        ),
        ("ba_nmt", "hidden_dim", 2**16, r"at these sizes it has [\d,]+ parameters, which take [\d,]+ GiB"),
        ("transformer_small", "encoder_layers", "two", "--encoder-layers: .*'two'"),
        ("transformer_small", "terms", ["source_history"], "only a combination"),
    ],
)
def test_options_that_an_architecture_does_not_take_are_named_before_anything_runs(
    variant, key, value, message
):  # fmt: skip
    content = edited(f"variants/{variant}/{key}", value, **alone(variant))
    place = rf"^params\.yaml: (params\.)?variants\.{variant}: "
    assert re.search(rf"{place}.*{message}", refused(lambda: check_models(check(content))))


def test_an_unknown_corpus_is_named_beside_those_that_there_are(write):
    write("corpus", "demmo", run="work/demmo/forward-bpe")
    assert "corpus: 'demmo' is not below corpora (there are: demo, " in refused(load)


def test_an_option_imports_no_code(write, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "__init__.py").write_text("open('imported', 'w')")
    write("variants/transformer_small/user_dir", "folder", **alone("transformer_small"))
    refused(lambda: check_models(load()))
    refused(model_arguments_of, variant("transformer_small").model, section("corpora.demo.model", ModelSizes), "any")
    assert not (tmp_path / "imported").exists()


def test_a_system_that_joins_both_directions_asks_for_both_models(write):
    write("also_reverse", [])
    message = r"fine_tuned: cohn_agreement joins both .* add cohn_all to also_reverse"
    assert re.search(message, refused(check_models, load()))


def test_several_mistakes_are_named_at_once(write):
    write("variants/ba_nmt", {"terms": 1, "training": []})
    message = refused(load)
    assert "variants.ba_nmt.terms: " in message and "variants.ba_nmt.training: " in message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("corpus: demo\n  seeds: [1]\n", r"params\.yaml is not valid YAML: .*line 2"),
        ("seeds: [1, 2\nvariants: {}\n", r"params\.yaml is not valid YAML: .*line 2"),
        ("", r"params\.yaml must be a mapping"),
        ("- corpus\n", r"params\.yaml must be a mapping"),
    ],
)
def test_what_is_no_settings_file(tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text(content, encoding="utf-8")
    assert re.search(message, refused(load))


def test_a_missing_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "params.yaml is missing" in refused(load)


def test_a_section_that_is_not_there(write):
    write()
    message = refused(section, "corpora.demmo.training", Training)
    assert "corpora has no 'demmo' (it has: demo, " in message
    assert "variants has no 'ba_nm' (it has: " in refused(training_settings, "demo", "ba_nm")


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
