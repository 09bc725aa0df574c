"""Which systems of a study have values that do not compete, from the params.yaml that is committed."""

from collections.abc import Callable
from typing import Any

import pytest

from stages.reporting.ranking import CANDIDATES, ENSEMBLE, LONGER
from stages.reporting.study_spec import StudySpec, _apart, _recipes, read_spec
from stages.settings import params
from stages.settings.params import read
from stages.settings.systems import study_systems


@pytest.fixture
def apart() -> Callable[..., dict[str, str]]:
    """Of a study of all systems whose corpus has so many epochs, with other definitions of some if given."""

    def found(epochs: int = 3, **own: Any) -> dict[str, str]:
        content = read()
        content |= content["studies"]["demo"]
        content["corpora"]["demo"]["training"]["max_epoch"] = epochs
        content["variants"] |= own
        return _apart(study_systems(content), content)

    return found


def test_fine_tuned_and_longer_trainings(apart):
    longer = {name for name, why in apart().items() if why == LONGER}
    assert longer == {*read()["fine_tuned_sets"]["all"], "rnnsearch_50_long"}


def test_more_epochs_on_short_sentences_alone_are_no_longer_training(apart):
    training = {"max_epoch": 9, "max_length": 20}
    assert "rnnsearch_30" not in apart(rnnsearch_30={"arch": "rnnsearch", "training": training})
    assert apart(rnnsearch_30={"arch": "rnnsearch", "training": {"max_epoch": 9}})["rnnsearch_30"] == LONGER


def test_what_shares_the_models_of_a_longer_training_is_apart_too(spec_of):
    other = {"arch": "rnnsearch_star", "decoding": {"no_repeat_ngram": 3}}
    bases = {"of_longer": "rnnsearch_star_continued", "of_other": "rnnsearch_star"}
    found = spec_of(BEYOND, decoded=bases, variants=read()["variants"] | dict.fromkeys(bases, other)).apart
    assert found.get("of_longer") == LONGER and "of_other" not in found


def test_candidates(apart):
    assert [name for name, why in apart().items() if why == CANDIDATES] == ["lvnmt"]


def test_more_epochs_for_all_are_no_longer_training(apart):
    assert "rnnsearch_50_long" not in apart(6)


@pytest.mark.parametrize(("corpus", "why"), [("demo", LONGER), ("zh-en", None)])
def test_longer_trainings_on_this_corpus_only(apart, corpus, why):
    assert apart(ba_nmt={"arch": "ba_nmt", "by_corpus": {corpus: {"training": {"max_epoch": 4}}}}).get("ba_nmt") == why


@pytest.fixture
def spec_of(monkeypatch) -> Callable[..., StudySpec]:
    """Of a study of the committed file, with some keys of another one."""

    def found(study: str, **keys: Any) -> StudySpec:
        content = read()
        content |= content["studies"][study] | keys
        monkeypatch.setattr(params, "read", lambda: content)
        return read_spec(study, content["corpus"])

    return found


BEYOND = "hansards-en-fr-beyond"


@pytest.mark.parametrize(("study", "ensembles"), [("demo", []), (BEYOND, ["rnnsearch_star_ensemble"])])
def test_ensembles(spec_of, study, ensembles):
    spec = spec_of(study)
    assert spec.ensembles == [name for name, why in spec.apart.items() if why == ENSEMBLE] == ensembles


def test_a_released_system_that_shares_models_has_no_training_either(spec_of):
    """Here it stands in `released` beside those that were trained."""
    here = spec_of(BEYOND)
    assert [*here.decoded] == [f"rnnsearch_star_{name}" for name in ("coverage_penalty", "no_repeats", "ensemble")]
    assert here.decoded["rnnsearch_star_no_repeats"].no_repeat_ngram == 3
    asked = read()["studies"][BEYOND]
    none = {"systems": [], "fine_tuned": {}, "decoded": {}, "also_reverse": [], "read_outs": []}
    of = dict.fromkeys(asked["systems"]) | asked["fine_tuned"] | asked["decoded"]
    released = spec_of(BEYOND, **none, released=of)
    assert released.decoded == here.decoded
    assert (released.ensembles, released.apart) == (here.ensembles, here.apart)


@pytest.fixture
def shown() -> Callable[..., dict[str, Any]]:
    """What a report shows of the settings of a study of the committed file, with some keys of another one."""

    def found(study: str, **keys: Any) -> dict[str, Any]:
        content = read()
        content |= content["studies"][study] | keys
        return _recipes(study_systems(content), content)

    return found


def test_says_what_systems_have_of_their_own(shown):
    own = shown("hansards-en-fr")["own_settings"]
    assert (own["luong_local_p"]["lr"], own["transformer"]["precision"]) == (0.004, "fp32")
    assert own["supervised_attention"]["supervision"] == "links" and "sa_nmt" not in own
    assert "by_corpus" not in own["luong_local_p"]
    of_four_layers = shown("multi30k-de-en-others")["own_settings"]["luong_local_p_2015"]
    assert of_four_layers["init_range"] == 0.25 and "by_corpus" not in of_four_layers


def test_says_which_pairs_and_which_vocabulary(shown):
    of = shown("hansards-en-fr")
    assert of["train_text"] == {"max_length": 30, "limit": 40000, "match_lengths_of": "gold", "distinct": True}
    assert of["vocabulary"] == {"of": "byte pair encoding", "merges": 8000, "joint": True, "vocabulary_threshold": 0}
    words = shown("wmt14-en-fr")["vocabulary"]
    assert words == {"words": {"en": 30000, "fr": 30000}, "joint": False}
    assert shown("demo", segmentation="words", run="work/demo/forward-words")["vocabulary"]["words"] == {
        "zh": "all",
        "en": "all",
    }


def test_says_what_a_mixed_text_is_of(shown):
    parts = {"tvsub": 60000, "news_commentary": "all", "tatoeba": 10000, "3am": 5000}
    assert shown("zh-en")["train_text"]["pairs_at_most"] == parts
