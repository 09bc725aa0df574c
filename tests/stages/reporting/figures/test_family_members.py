"""Which systems of the committed studies, and of a user, belong together."""

from itertools import combinations

import pytest

from stages.reporting.figures.families import (
    OTHER,
    all_families,
    families_of,
    family_of,
    grouped,
    label_of,
    present,
)
from stages.settings.variants import VariantModel
from tests.helpers.figure_study import FAMILY


def test_families_are_told_apart_without_colour() -> None:
    markers = [family.marker for family in all_families()]
    assert len(set(markers)) == len(markers)
    shared = [(a, b) for a, b in combinations(all_families(), 2) if a.color == b.color]
    assert all(a.marker != b.marker for a, b in shared)


def test_every_committed_row_but_the_references_has_a_family() -> None:
    found = [name for name, family in FAMILY.items() if family is OTHER]
    assert found == ["supervised_attention", "lvnmt", "transformer_small", "transformer", "transformer_aligned"]


@pytest.mark.parametrize(
    ("name", "title", "label"),
    [
        ("rnnsearch_50", "RNNencdec and RNNsearch", "rnnsearch_50"),
        ("rnnsearch_star_continued", "RNNsearch* (dl4mt)", "rnnsearch_star_continued"),
        ("luong_global_general_no_feeding", "Luong et al. 2015", "global_general_no_feeding"),
        ("ba_nmt", "History (Xue et al. 2019)", "ba_nmt"),
        ("ba_coverage", "Combinations", "ba_coverage"),
        ("covemb_gru", "Coverage embeddings (Mi et al. 2016)", "gru"),
    ],
)
def test_a_committed_row_stands_with_its_like(name: str, title: str, label: str) -> None:
    assert (FAMILY[name].title, label_of(name, FAMILY[name])) == (title, label)


@pytest.mark.parametrize(
    ("terms", "like"),
    [
        (["target_history", "source_history"], "ba_nmt"),
        (["nn_coverage_gru"], "coverage_nn_gru"),
        (["position_bias", "markov_bias"], "cohn_all"),
        (["source_bridging", "markov_bias"], "ba_coverage"),
        (["recurrent_attention"], "recurrent_attention"),
        (["source_history", "supervised_attention"], "ba_coverage"),
        ([], "rnnsearch_star"),
        (["supervised_attention"], "supervised_attention"),
        (["a_term_of_mine"], "transformer"),
    ],
)
def test_a_combination_of_a_user_has_the_family_of_its_terms_whatever_its_name(terms: list[str], like: str) -> None:
    families = families_of({"cohn_by_name_only": VariantModel(arch="attnmt", terms=terms, history_dim=3)})
    assert families["cohn_by_name_only"] is FAMILY[like]


def test_a_row_has_the_family_of_its_architecture_whatever_its_name() -> None:
    assert family_of(VariantModel(arch="luong_local_m", local_window=3)) is FAMILY["luong_local_m"]
    assert label_of("mine", FAMILY["luong_local_m"]) == "mine"


def test_a_large_family_has_several_groups_and_no_row_is_lost() -> None:
    rows = {**{f"mine_{k}": FAMILY["ba_coverage"] for k in range(5)}, "cohn_all": FAMILY["cohn_all"], "zzz": OTHER}
    groups = grouped(rows, most=2)
    assert [len(group.variants) for group in groups] == [1, 2, 2, 1, 1]
    assert sorted(name for group in groups for name in group.variants) == sorted(rows)
    assert len({group.title for group in groups if "Combinations" in group.title}) == 2
    assert present(rows.values()) == [FAMILY["cohn_all"], FAMILY["ba_coverage"], OTHER]
