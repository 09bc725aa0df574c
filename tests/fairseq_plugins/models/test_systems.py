"""What the papers say of single systems: which equations, how many parameters, what their parts leave unchanged."""

from functools import partial

import pytest
import torch

from fairseq_plugins import declarations
from stages.settings.variants import VariantModel
from tests.fairseq_plugins.models.under_test import cases, whole
from tests.helpers import support
from tests.helpers.binding import parameters
from tests.helpers.binding import system as reference_of
from tests.helpers.support import SYSTEMS, build, forward, of, random_batch, step_by_step
from tests.helpers.variations import knows_places, mechanism
from tests.naive.system import run

from fairseq.models import MODEL_REGISTRY

BATCH = random_batch([5, 1, 4, 3], [4, 5, 1, 3], seed=7)

close = partial(support.close, tolerance=1e-12)


# Which equations


@pytest.mark.parametrize("arch", support.recurrent())
def test_an_architecture_without_options_is_made_of_its_terms(arch):
    """Which those are, the formula in its docstring says too: see the tests of the listing."""
    reference = reference_of(build(of(arch, [] if arch == "attnmt" else None)))
    assert reference.cell == (mechanism(arch) or "d2")
    assert reference.terms == tuple(term.name for term in MODEL_REGISTRY[arch].terms)
    assert reference.terms == tuple(term.name for term in declarations.system(arch).terms)
    assert reference.readout == MODEL_REGISTRY[arch].default_readout


@pytest.mark.parametrize(("arch", "readout"), [("rnnencdec", "maxout"), ("rnnsearch", "maxout"), ("ba_nmt", "tanh")])
def test_readouts_of_the_papers(arch, readout):
    assert reference_of(build(of(arch))).readout == readout


@pytest.mark.parametrize(
    ("arch", "option", "value", "fixed"),
    [
        ("covemb_gru_sub_obj", "covemb_objective", "none", "final"),
        ("covemb_gru_sub_supobj", "covemb_objective", "final", "supervised"),
    ],
)
def test_what_makes_a_system_cannot_be_set(arch, option, value, fixed):
    with pytest.raises(ValueError, match=f"{arch} has no option {option}"):
        build(of(arch, **{option: value}))
    args = build(of(arch)).args
    assert getattr(args, option) == fixed
    setattr(args, option, value)
    with pytest.raises(ValueError, match=f"--covemb-objective is {fixed} in {arch}, by definition"):
        MODEL_REGISTRY[arch].fix_options(args)


@pytest.mark.parametrize(
    ("variant", "part", "options"),
    [
        (of("rnnencdec", rnnencdec_readout="cur"), "encdec", {"rnnencdec_readout": "cur"}),
        (of("ta_nmt", target_history_state="query"), "target_history", {"target_history_state": "query"}),
    ],
)
def test_options_choose_other_equations(variant, part, options):
    assert reference_of(build(variant)).options[part] == options


def test_a_readout_is_chosen():
    assert reference_of(build(of("rnnsearch_star", readout="linear"))).readout == "linear"


def test_a_combination_is_the_published_system_of_its_terms():
    """The same names in a checkpoint, and the same outputs."""
    combined, published = build(of("attnmt", ["source_history", "target_history"]), seed=1), build(of("ba_nmt"), seed=2)
    combined.model.load_state_dict(published.model.state_dict())
    close(forward(combined.model, BATCH)[0], forward(published.model, BATCH)[0], tolerance=0)


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        (of("attnmt", ["source_histori"]), r"no term is called 'source_histori'; there are: .*source_history"),
        (of("attnmt", ["source_history", "target_history", "source_history"]), r"source_history is named twice"),
        (of("attnmt", ["nn_coverage_gru", "nn_coverage_tanh"]), r"nn_coverage_.* cannot stand beside nn_coverage_"),
        (
            of("attnmt", ["linguistic_coverage_fertility", "linguistic_coverage"]),
            r"linguistic_coverage.* cannot stand beside linguistic_coverage",
        ),
        (of("ba_nmt", ["source_history"]), r"only a combination \(arch: attnmt\) takes `terms`"),
        (of("luong_global_dot", luong_base="rnnsearch_star"), "`dot` needs annotations as wide.* 12 and 6"),
        (of("luong_local_m", local_window=0), "local_window is 0"),
        (of("luong_global_dot", local_window=3), "luong_global_dot has no option local_window"),
        (of("luong_global_general", location_positions=9), "luong_global_general has no option location_positions"),
        (of("luong_local_m", local_renorm=True), "luong_local_m has no option local_renorm"),
        (of("luong_global_general", readout="maxout"), "readout is maxout"),
    ],
)
def test_refused_systems(variant, message):
    with pytest.raises(ValueError, match=message):
        build(variant)


@pytest.mark.parametrize("terms", ["source_histori", "target_history,target_history"])
def test_refused_combinations_on_the_command_line(terms):
    args = build(of("attnmt", ["source_history"])).args
    args.terms = terms
    with pytest.raises(ValueError, match=r"no term is called|named twice"):
        MODEL_REGISTRY["attnmt"].term_types(args)


@whole
def test_the_first_word_may_be_zero(name):
    """--zero-first-embedding is the embedding of eos set to zero: eos stands nowhere else in front of a word."""
    variant = SYSTEMS[name]
    zero = VariantModel(arch=variant.arch, terms=variant.terms, **{**variant.options(), "zero_first_embedding": True})
    with_flag, without = build(zero), build(variant)
    without.model.load_state_dict(with_flag.model.state_dict())
    assert (forward(without.model, BATCH)[0] - forward(with_flag.model, BATCH)[0]).abs().max() > 1e-3
    without.model.decoder.embed_tokens.weight.data[without.model.decoder.dictionary.eos()] = 0
    real = BATCH.real
    close(forward(without.model, BATCH)[0][real], forward(with_flag.model, BATCH)[0][real])
    close(step_by_step(with_flag.model, BATCH)[0][real], forward(with_flag.model, BATCH)[0][real])


# Places


@pytest.mark.parametrize("name", cases(name for name, variant in SYSTEMS.items() if not knows_places(variant)))
def test_permuted_annotations_permute_the_weights_and_nothing_else(name):
    model = build(SYSTEMS[name]).model
    batch, order = random_batch([6, 6], [4, 3], seed=8), torch.tensor([3, 0, 5, 1, 4, 2])
    encoded = model.encoder(batch.source, batch.lengths)
    source = encoded.source
    moved = {field: getattr(source, field)[:, order] for field in ("ids", "mask", "embeddings", "annotations")}
    logits, extra = model.decoder(batch.previous, encoded)
    logits_moved, extra_moved = model.decoder(batch.previous, encoded._replace(source=source._replace(**moved)))
    close(logits_moved, logits)
    if extra["attn"] is not None:
        close(extra_moved["attn"][0], extra["attn"][0][:, :, order])


# RNNencdec


@pytest.mark.parametrize("name", [name for name, model in SYSTEMS.items() if model.arch == "rnnencdec"])
def test_rnnencdec_knows_the_source_only_by_its_one_vector(name):
    model = build(SYSTEMS[name]).model
    encoded = model.encoder(BATCH.source, BATCH.lengths)
    other = model.encoder(BATCH.source.flip(0), BATCH.lengths.flip(0))
    disguised = other._replace(source=other.source._replace(summary=encoded.source.summary))
    close(model.decoder(BATCH.previous, disguised)[0], model.decoder(BATCH.previous, encoded)[0], tolerance=0)
    assert (model.decoder(BATCH.previous, other)[0] - model.decoder(BATCH.previous, encoded)[0]).abs().max() > 1e-3


@pytest.mark.parametrize("name", [name for name, model in SYSTEMS.items() if model.arch == "rnnencdec"])
def test_rnnencdec_reads_its_one_vector_at_the_last_real_word(name):
    subject = build(SYSTEMS[name])
    source = subject.model.encoder(BATCH.source, BATCH.lengths).source
    for row in range(len(BATCH.source)):
        sentence = BATCH.sentence(row)
        reference = run(reference_of(subject), parameters(subject), sentence.source[0].tolist(), [2])
        close(source.summary[row].detach(), torch.from_numpy(reference.contexts[0]))
