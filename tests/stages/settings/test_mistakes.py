"""Every mistake in params.yaml gets one sentence that names the key."""

import re
from pathlib import Path

import pytest

from stages.settings.params import section
from stages.settings.schema import check, load
from stages.settings.training import ModelSizes, Training
from stages.settings.variants import training_settings, variant
from stages.training.check import check_models
from stages.training.run import model_arguments_of
from tests.stages.settings.edited import REMOVED, alone, edited, refused


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("sedes", [1], r"sedes: unknown key"),
        ("seeds", REMOVED, r"seeds: missing key"),
        ("seeds", 1, r"seeds: .*list.* \(is 1\)"),
        ("seeds", [], r"seeds: .*at least 1"),
        ("seeds", [1, -2], r"seeds\.1: .*greater than or equal to 0 \(is -2\)"),
        ("seeds", [3, 1, 3], r"seeds: 3 stands there twice"),
        ("studies/zh-en/corpus", "demmo", r"studies\.zh-en\.corpus: 'demmo' is not below corpora \(there are: demo, "),
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
        ("variants/smt", {"arch": "ba_nmt"}, r"variants\.smt: .* phrase-based system; choose another name"),
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
        ("corpora/demo/smt/aligner/null_prior", True, r"aligner\.null_prior: .*a number is wanted, not true"),
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
    write("also_reverse", [], systems=["rnnsearch_star", "cohn_all"], fine_tuned={"cohn_agreement": "cohn_all"})
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
