"""The studies of params.yaml: each can be chosen, and together those on real text train every system."""

from functools import partial

import pytest

from stages.settings.params import read
from stages.settings.systems import study_systems
from stages.settings.variants import training_settings, variant
from tests.helpers import committed

CONTENT = committed.params()
OF_OTHER_TEXT = {
    "rnnencdec_30", "rnnencdec_50", "rnnsearch_30", "rnnsearch_50", "rnnsearch_50_long", "transformer_small",
}  # fmt: skip
"""The same as others but for the length of what they are trained on, which captions do not reach, or their width."""
OF_WORDS = [name for name, study in CONTENT["studies"].items() if study["corpus"] == "hansards-en-fr-words"]


def systems(study: str) -> set[str]:
    block = CONTENT["studies"][study]
    return {*block["systems"], *block["fine_tuned"], *block["decoded"]}


def test_every_system_is_trained_on_real_text():
    studies = ("hansards-en-fr", "hansards-en-fr-beyond", *OF_WORDS, "multi30k-de-en", "multi30k-de-en-others")
    assert set().union(*map(systems, studies)) >= {*CONTENT["variants"]} - OF_OTHER_TEXT


def test_other_systems_train_on_the_text_of_multi30k_briefly_with_narrow_models_and_their_own_baselines():
    study = CONTENT["studies"]["multi30k-de-en-others"]
    whole, short = (CONTENT["corpora"][name] for name in ("multi30k-de-en", study["corpus"]))
    brief = {key: short["training"][key] for key in ("max_epoch", "anneal_epoch", "lr")}
    assert short == whole | {"training": whole["training"] | brief, "model": short["model"]}
    assert short["training"]["max_epoch"] < whole["training"]["max_epoch"]
    assert short["model"]["hidden_dim"] < whole["model"]["hidden_dim"]
    assert {"rnnsearch_star", "rnnsearch", "ba_nmt"} <= {*study["systems"]}


def test_all_of_luong_in_a_study_have_the_same_training_but_for_epochs_and_the_same_range():
    """Those of four layers have an entry of their own, for their epochs."""
    epochs = {"max_epoch", "anneal_epoch"}
    for name, study in CONTENT["studies"].items():
        of_luong = [CONTENT["variants"][row] for row in study["systems"] if row.startswith("luong_")]
        here = [
            {
                key: value
                for own in [one.get("by_corpus", {}).get(study["corpus"], {})]
                for key, value in (own | own.get("training", {})).items()
                if key not in {*epochs, "training"}
            }
            for one in of_luong
        ]
        assert all(one == here[0] for one in here), name


def test_the_coverage_loss_comes_after_training_as_in_its_paper():
    """See et al. 2017 add it for the last 3,000 updates; its control is trained as long."""
    study = CONTENT["studies"]["hansards-en-fr-beyond"]
    assert study["fine_tuned"] == {"rnnsearch_star_continued": "rnnsearch_star", "coverage_loss": "rnnsearch_star"}
    assert "coverage_loss" not in study["systems"]


def test_more_text_of_hansards_has_the_same_dev_and_test_sets():
    """What is held out depends on these settings (`stages.corpora.hansards.hold_out`)."""
    usual, large = (CONTENT["corpora"][name]["corpus"] for name in ("hansards-en-fr", "hansards-en-fr-large"))
    assert large == usual | {"limit": 4 * usual["limit"]}


LONGER = ("rnnsearch_50_long", "rnnsearch_50")


@pytest.mark.parametrize("study", [name for name in CONTENT["studies"] if {*LONGER} <= systems(name)])
def test_what_is_compared_as_trained_longer_is_so_in_every_study(study):
    longer, other = (training_settings(CONTENT["studies"][study]["corpus"], system) for system in LONGER)
    assert longer.max_epoch >= 2 * other.max_epoch
    assert longer.patience == 0, "it might end before its rate falls"
    annealed = [one.max_epoch - one.anneal_epoch for one in (longer, other) if isinstance(one.anneal_epoch, int)]
    assert len({*annealed}) <= 1, "both end with as many epochs of a falling rate"


def test_trainings_on_shorter_sentences_of_words_have_as_many_updates():
    """An epoch of up to 30 words has 565 batches, of all 1,000. Rates are as high, and nothing ends early."""
    settings = partial(training_settings, "hansards-en-fr-words")
    whole, *short = map(settings, ("rnnsearch_50", "rnnsearch_30", "rnnencdec_30"))
    for one in short:
        assert one.max_length == 30 and one.patience == 0
        assert 0.565 * one.max_epoch == pytest.approx(whole.max_epoch, abs=0.3)
        assert 0.565 * (one.anneal_epoch - 1) == pytest.approx(whole.anneal_epoch - 1, abs=0.3)
        last = [each.lr_shrink ** (each.max_epoch - each.anneal_epoch + 1) for each in (one, whole)]
        assert last[0] == pytest.approx(last[1], rel=0.1)


def test_the_studies_of_words_train_nothing_twice():
    """They share a folder, and of trainings that would be the same they name one."""
    studies = [CONTENT["studies"][name] for name in OF_WORDS]
    assert len(studies) == 3 and len({study["run"] for study in studies}) == 1
    trained = {}
    for study in studies:
        for system in (*study["systems"], *study["fine_tuned"]):
            base = study["fine_tuned"].get(system)
            own = training_settings(study["corpus"], system, None, base is not None)
            settings = own.model_copy(update={"max_length": own.max_length or 50})
            made = repr((variant(system).on(study["corpus"]).model, settings, base))
            assert trained.setdefault(made, system) == system


@pytest.mark.parametrize("study", ["hansards-en-fr", "zh-en", "multi30k-de-en", *OF_WORDS])
def test_claims_have_three_seeds(study):
    assert len(set(CONTENT["studies"][study]["seeds"])) >= 3


def test_the_lists_of_a_study_follow_the_order_of_the_tables(tmp_path):
    path = tmp_path / "params.yaml"
    own = "systems: [rnnsearch_star, ba_nmt]\nfine_tuned: {bridging_direct: rnnsearch_star}\n"
    own += "also_reverse: []\nread_outs: []\nreleased: {sa_nmt: null}\n"
    own += "decoded: {rnnsearch_star_no_repeats: rnnsearch_star}\n"
    path.write_text(committed.choosing(f"<<: *demo\n{own}"), encoding="utf-8")
    chosen = study_systems(read(path))
    assert chosen.trained == ["rnnsearch_star", "ba_nmt", "bridging_direct"]
    assert chosen.translating == [*chosen.trained, "rnnsearch_star_no_repeats"]
    assert chosen.neural == list(chosen.variants) == ["sa_nmt", *chosen.translating]
