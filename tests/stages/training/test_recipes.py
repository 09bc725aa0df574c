"""The papers' recipes: valid for a corpus that takes them, understood by fairseq, and trained with on small text."""

import math
from pathlib import Path

import pytest

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.settings.params import section
from stages.settings.schema import Recipe, load
from stages.settings.variants import variant
from stages.training.arguments import training_arguments
from stages.training.check import check_models
from stages.training.run import model_arguments_of
from tests.helpers import committed, tiny
from tests.helpers.paths import ROOT

from fairseq import options

CONTENT = committed.params()
SYSTEMS = {
    "xue2019": CONTENT["sets"]["xue_2019"],
    "kuang2018": CONTENT["sets"]["kuang_2018"],
    "mi2016": [name for name in CONTENT["sets"]["originals"] if name.startswith("lvnmt_")],
    "bahdanau2015": ["rnnencdec_30", "rnnencdec_50", "rnnsearch_30", "rnnsearch_50", "rnnsearch_50_long"],
    "luong2015": [name for name in CONTENT["sets"]["originals"] if name.startswith("luong_")],
}
"""What each paper is about."""
recipes = pytest.mark.parametrize("name", CONTENT["recipes"])

ADADELTA = {"optimizer": "adadelta", "adadelta_rho": 0.95, "adadelta_eps": 1e-6, "lr": [1.0], "force_anneal": None}
EIGHTY = {"batch_size": 80, "max_tokens": None, "clip_norm": 1.0, "sentence_avg": True}
AT_FAIRSEQ = {
    "xue2019": {
        "optimizer": "fused_adamw", "adam_betas": "(0.9, 0.999)", "adam_eps": 1e-6, "max_tokens": 4096,
        "batch_size": None, "sentence_avg": False,
        "embed_dim": 512, "hidden_dim": 512, "init_range": 0.1, "readout_dropout": 0.2, "embed_dropout": 0.0,
    },
    "kuang2018": ADADELTA | EIGHTY | {"embed_dim": 620, "hidden_dim": 1000, "readout_dropout": 0.5},
    "mi2016": ADADELTA | EIGHTY | {"covemb_dim": 100},
    "bahdanau2015": ADADELTA | EIGHTY | {"embed_dim": 620, "hidden_dim": 1000, "readout_dropout": 0.0},
    "luong2015": {
        "optimizer": "sgd", "momentum": 0.0, "lr": [1.0], "lr_scheduler": "fixed", "force_anneal": 9, "lr_shrink": 0.5,
        "max_epoch": 12, "batch_size": 128, "required_batch_size_multiple": 8, "clip_norm": 5.0, "sentence_avg": True,
        "embed_dim": 1000, "hidden_dim": 1000, "init_range": 0.1, "readout_dropout": 0.2,
        "luong_layers": 4, "reverse_source": True,
    },
}  # fmt: skip
"""What fairseq has to understand, written from the papers."""
OF_SOME = {"covemb_dim", "luong_layers", "reverse_source", "force_anneal"}  # options that not every system has
WORDS = {"kuang2018": 30_000, "mi2016": 300_000, "bahdanau2015": 30_000, "luong2015": 50_000}
LENGTHS = {"xue2019": 128, "kuang2018": 50, "bahdanau2015": 50, "luong2015": 50}
BEAMS = {"xue2019": 10, "kuang2018": 10, "bahdanau2015": 12}


def test_every_recipe_is_looked_at():
    assert list(CONTENT["recipes"]) == list(SYSTEMS) == list(AT_FAIRSEQ)


@recipes
def test_a_corpus_takes_a_recipe_in_one_line(tmp_path, monkeypatch, name):
    """And the study of its paper on that corpus can be built, every system of it."""
    monkeypatch.chdir(tmp_path)
    mine = f"  mine:\n    <<: [*{name}, *papers_corpus]\n    corpus: {{<<: *demo_text}}\n"
    mine += f"    training: {{<<: *{name}_training, max_epoch: 2}}\n"
    segmentation = "words" if name in WORDS else "bpe"
    study = f"<<: *demo\ncorpus: mine\nsystems: {SYSTEMS[name]}\nfine_tuned: {{}}\nalso_reverse: []\n"
    study += f"training_sizes: []\nsegmentation: {segmentation}\nrun: work/mine/forward-{segmentation}\n"
    text = committed.choosing(study) + mine
    Path("params.yaml").write_text(text.replace("baseline: rnnsearch_star", f"baseline: {SYSTEMS[name][0]}"), "utf-8")
    content = load()
    found, expected = content.corpora["mine"], section(f"recipes.{name}", Recipe)
    assert (found.segmentation, found.model, found.decoding) == (
        expected.segmentation, expected.model, expected.decoding,
    )  # fmt: skip
    assert found.training == expected.training.model_copy(update={"max_epoch": 2})
    check_models(content)


@pytest.mark.slow
@recipes
def test_a_recipe_reaches_fairseq(monkeypatch, name):
    monkeypatch.chdir(ROOT)
    recipe = section(f"recipes.{name}", Recipe)
    arguments = training_arguments(recipe.training, 1, Path("bin"), Path("scratch"), ("zh", "en"))
    for system in SYSTEMS[name]:
        model = model_arguments_of(variant(system).model, recipe.model, system)
        found = vars(options.parse_args_and_arch(options.get_training_parser(), [*arguments, *model]))
        expected = {key: value for key, value in AT_FAIRSEQ[name].items() if key in found}
        assert {key: found[key] for key in expected} == expected
        assert AT_FAIRSEQ[name].keys() - expected.keys() <= OF_SOME


@recipes
def test_sizes_beside_the_training(name):
    recipe = CONTENT["recipes"][name]
    words = recipe["segmentation"]["word_vocabulary"]
    assert words == dict.fromkeys(("source", "target"), WORDS.get(name))
    assert recipe["training"]["max_length"] == LENGTHS.get(name, recipe["training"]["max_length"])
    assert recipe["decoding"]["beam"] == BEAMS.get(name, recipe["decoding"]["beam"])


@pytest.mark.training
@recipes
def test_a_recipe_trains(name):
    """One epoch of miniature text with a system of its paper, at miniature widths."""
    assert tiny.PAPERS[name] in SYSTEMS[name]
    folder = tiny.trained(name)
    (epoch,) = tiny.curve(folder).itertuples()
    assert tiny.record(folder)["epochs"] == 1 and epoch.updates > 0
    assert all(math.isfinite(value) for value in (epoch.train_loss, epoch.train_ppl, epoch.dev_ppl, epoch.dev_bleu))
    per_sentence = CONTENT["recipes"][name]["training"]["sentence_avg"]
    assert (2**epoch.train_loss > 2 * epoch.train_ppl) == per_sentence
