"""What a system is when nothing is said: the numbers of its paper, and where that is silent, of the specification."""

import dataclasses
import inspect
from collections.abc import Iterable
from typing import Any

import pytest

from fairseq_plugins import compat, registry  # noqa: F401  compat makes fairseq importable
from fairseq_plugins.listing.options import SIZE, option_classes, size_names
from fairseq_plugins.models.attnmt import term_named, term_names
from tests.helpers.variations import mechanism
from tests.naive.system import cell_class
from tests.naive.term import term_class
from tests.naive.term import term_names as naive_term_names

from fairseq.models import MODEL_REGISTRY

DEFAULTS = {
    # all systems; sizes, dropout and range of Xue et al. 2019
    "embed_dim": 512, "hidden_dim": 512, "attention_dim": None, "readout": None, "readout_dim": None,
    "embed_dropout": 0.0, "annotation_dropout": 0.0, "readout_dropout": 0.2, "init_range": 0.1,
    "zero_first_embedding": False, "readout_lowrank": None, "terms": "", "base": "rnnsearch_star",
    # Bahdanau et al. 2015, Xue et al. 2019
    "rnnencdec_readout": "prev", "history_dim": None, "target_history_state": "prev",
    # Tu et al. 2016
    "linguistic_coverage_mode": "add", "max_fertility": 2.0, "fertility_bias": False,
    "coverage_dim": 100, "nn_coverage_state": "prev",
    # Tu et al. 2016, Zhang et al. 2017
    "gru_reset_before": False, "gatt_state": "prev",
    # Mi et al. 2016
    "covemb_dim": 100, "covemb_objective": "none", "covemb_norm": 2,
    "covemb_gru_lambda": 1e-4, "covemb_sub_lambda": 1e-2,
    "candidate_frequent": 2000, "candidate_translations": 10, "candidate_table": None,
    # Mi et al. 2016a, Liu et al. 2016
    "alignment_loss": "ce", "alignment_lambda": 1.0, "alignment_sigma": 0.0, "alignment_unaligned": "exclude",
    # Kuang et al. 2018
    "bridge_stopgrad": "none", "bridge_soft": False, "bridge_lambda": 1.0,
    # Cohn et al. 2016
    "cohn_window": 1, "fertility_lambda": 1.0, "fertility_penalty": 0.0, "agreement_gamma": 1.0,
    # Yang et al. 2016
    "recurrent_attention_dim": 100, "recurrent_attention_window": 5, "memory_in_context": False,
    # Feng et al. 2016, Meng et al. 2016
    "recatt": "gru", "fertdec_eta": 0.0, "ia_separate_write": False,
    # Luong et al. 2015; two layers instead of four
    "luong_base": "lstm", "luong_layers": 2, "reverse_source": False, "input_feeding": True, "local_window": 10,
    "local_renorm": False, "attend_eos": True, "location_positions": 128,
    # See et al. 2017, Malaviya et al. 2018, Chen et al. 2018 (where the width of a head is not stated)
    "coverage_loss_lambda": 1.0, "csparsemax_fertility": "constant", "csparsemax_limit": 2.0, "csparsemax_credit": 0.2,
    "attention_heads": 4, "head_dim": None,
    # Garg et al. 2019
    "guided_layer": None, "guided_lambda": 0.05,
}  # fmt: skip


def fields(kinds: Iterable[type]) -> dict[str, Any]:
    """Options with their defaults, but for widths, which a reference implementation sees by its parameters."""
    return {
        field.name: field.default
        for kind in kinds
        for field in dataclasses.fields(kind)
        if not field.name.endswith(SIZE)
    }


def arguments(kind: type) -> dict[str, Any]:
    """Of a reference implementation, with their defaults."""
    made_by = [each.__init__ for each in kind.__mro__ if "__init__" in vars(each)]
    given = [one for make in made_by for one in inspect.signature(make).parameters.values()]
    return {one.name: one.default for one in given if one.default is not inspect.Parameter.empty}


@pytest.fixture(scope="module")
def found() -> dict[str, set[Any]]:
    """Every option of every system and term, with the defaults that the classes give it."""
    defaults: dict[str, set[Any]] = {}
    for field in (field for kind in option_classes() for field in dataclasses.fields(kind)):
        defaults.setdefault(field.name, set()).add(field.default)
    return defaults


def test_an_option_that_is_not_given(found):
    assert {option: found.get(option) for option, default in DEFAULTS.items() if found.get(option) != {default}} == {}


def test_every_term_has_a_reference_implementation():
    assert naive_term_names() == term_names()


@pytest.mark.parametrize("name", term_names())
def test_a_term_and_its_reference_implementation_have_the_same_options(name):
    assert fields([term_named(name).Options]) == arguments(term_class(name))


@pytest.mark.parametrize("arch", [arch for arch in registry.names() if mechanism(arch)])
def test_a_mechanism_and_its_reference_implementation_have_the_same_options(arch):
    registry.register(arch)
    assert fields(MODEL_REGISTRY[arch].own_options) == arguments(cell_class(mechanism(arch)))


def test_no_option_is_left_out(found):
    """Those of reference implementations are held above; a new width's default is its own."""
    kinds = [term_named(name).Options for name in term_names()]
    kinds += [kind for arch in registry.names() if mechanism(arch) for kind in MODEL_REGISTRY[arch].own_options]
    assert {name for name in found if not name.endswith(SIZE)} == {*fields(kinds), *DEFAULTS} - size_names()
