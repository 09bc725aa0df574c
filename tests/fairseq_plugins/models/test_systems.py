"""What the papers say of single systems: which equations, how many parameters, what their parts leave unchanged."""

from functools import partial

import pytest
import torch
from torch import Tensor

from fairseq_plugins import registry
from fairseq_plugins.core.protocol import Source, Step, Widths
from fairseq_plugins.terms.source_history import SourceHistory
from fairseq_plugins.terms.target_history import TargetHistory, TargetHistoryOptions
from stages.files.errors import InputError
from stages.settings.training import ModelSizes
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.binding import parameters
from tests.helpers.binding import system as truth_of
from tests.helpers.support import RECURRENT, SYSTEMS, Subject, build, forward, random_batch, step_by_step, terms_of
from tests.naive.system import run

from fairseq.models import MODEL_REGISTRY

HISTORIES = ("source_history", "target_history")
COVERAGE_EMBEDDINGS = ("coverage_embedding_gru", "coverage_embedding_sub")
BIASES = ("position_bias", "markov_bias", "local_fertility_bias")
PUBLISHED = {  # arch -> (the cell, its terms)
    "rnnencdec": ("encdec", ()),
    "rnnsearch": ("d1", ()),
    "rnnsearch_star": ("d2", ()),
    "attnmt": ("d2", ()),
    "lvnmt": ("d2", ()),
    "sa_nmt": ("d2", HISTORIES[:1]),
    "ta_nmt": ("d2", HISTORIES[1:]),
    "ba_nmt": ("d2", HISTORIES),
    "coverage_linguistic": ("d2", ("linguistic_coverage",)),
    "coverage_linguistic_fertility": ("d2", ("linguistic_coverage_fertility",)),
    "coverage_nn_tanh": ("d2", ("nn_coverage_tanh",)),
    "coverage_nn_gru": ("d2", ("nn_coverage_gru",)),
    "covemb_gru": ("d2", COVERAGE_EMBEDDINGS[:1]),
    "covemb_sub": ("d2", COVERAGE_EMBEDDINGS[1:]),
    "covemb_gru_sub": ("d2", COVERAGE_EMBEDDINGS),
    "covemb_gru_sub_obj": ("d2", COVERAGE_EMBEDDINGS),
    "covemb_gru_sub_supobj": ("d2", COVERAGE_EMBEDDINGS),
    "bridging_source": ("d2", ("source_bridging",)),
    "bridging_target": ("d2", ("target_bridging",)),
    "bridging_direct": ("d2", ("source_bridging", "direct_bridging")),
    "bridging_direct_nosrc": ("d2", ("direct_bridging",)),
    "cohn_position": ("d2", BIASES[:1]),
    "cohn_markov": ("d2", BIASES[1:2]),
    "cohn_localfert": ("d2", BIASES[2:]),
    "cohn_all": ("d2", BIASES),
    "cohn_globalfert": ("d2", (*BIASES, "global_fertility")),
    "cohn_agreement": ("d2", BIASES),
    "recurrent_attention": ("d2", ("recurrent_attention",)),
    "feng_recatt": ("d2", ("implicit_distortion",)),
    "feng_fertdec": ("d2", ("implicit_fertility",)),
    "feng_both": ("d2", ("implicit_distortion", "implicit_fertility")),
    "supervised_attention": ("d2", ("supervised_attention",)),
    "interactive_attention": ("interactive", ()),
    "gatt": ("gatt", ()),
    "gatt_inv": ("gatt_inv", ()),
    "dhea": ("dhea", ()),
    **{f"luong_global_{score}": (f"luong_global_{score}", ()) for score in ("dot", "general", "concat", "location")},
    "luong_local_m": ("luong_local_m", ()),
    "luong_local_p": ("luong_local_p", ()),
}
BATCH = random_batch([5, 1, 4, 3], [4, 5, 1, 3], seed=7)


def of(arch: str, terms: list[str] | None = None, **options: str) -> VariantModel:
    return VariantModel(arch=arch, terms=terms, **options)


ON_STAR = [
    name
    for name, variant in SYSTEMS.items()
    if variant.arch == "attnmt" or terms_of(variant)
    if terms_of(variant) <= set(HISTORIES)
]  # the variants that are RNNsearch* with histories, or with nothing
WITH_HISTORIES = [name for name in ON_STAR if terms_of(SYSTEMS[name])]

close = partial(support.close, tolerance=1e-12)


# Which equations


def test_every_architecture_is_published_here():
    assert set(PUBLISHED) == set(registry.names())


@pytest.mark.parametrize("arch", PUBLISHED)
def test_an_architecture_without_options_is_the_published_system(arch):
    truth = truth_of(build(of(arch)))
    assert (truth.cell, truth.terms) == PUBLISHED[arch]
    assert truth.readout == ("maxout" if arch in ("rnnencdec", "rnnsearch") else "tanh")


@pytest.mark.parametrize(
    ("arch", "option", "value", "fixed"),
    [
        ("covemb_gru_sub_obj", "covemb_objective", "none", "final"),
        ("covemb_gru_sub_supobj", "covemb_objective", "final", "supervised"),
    ],
)
def test_what_makes_a_system_cannot_be_set(arch, option, value, fixed):
    with pytest.raises(InputError, match=f"{arch} has no option {option}"):
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
    assert truth_of(build(variant)).options[part] == options


def test_a_readout_is_chosen():
    assert truth_of(build(of("rnnsearch_star", readout="linear"))).readout == "linear"


def test_a_combination_is_the_published_system_of_its_terms():
    """The same names in a checkpoint, and the same outputs."""
    combined, published = build(of("attnmt", [*HISTORIES]), seed=1), build(of("ba_nmt"), seed=2)
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
    ],
)
def test_refused_combinations(variant, message):
    with pytest.raises(ValueError, match=message):
        build(variant)


@pytest.mark.parametrize("terms", ["source_histori", "target_history,target_history"])
def test_refused_combinations_on_the_command_line(terms):
    args = build(of("attnmt", ["source_history"])).args
    args.terms = terms
    with pytest.raises(ValueError, match=r"no term is called|named twice"):
        MODEL_REGISTRY["attnmt"].term_types(args)


@pytest.mark.parametrize("name", RECURRENT)
def test_the_first_word_may_be_zero(name):
    """--zero-first-embedding is the embedding of eos set to zero: eos stands nowhere else in front of a word."""
    variant = RECURRENT[name]
    zero = VariantModel(arch=variant.arch, terms=variant.terms, **{**variant.options(), "zero_first_embedding": True})
    with_flag, without = build(zero), build(variant)
    without.model.load_state_dict(with_flag.model.state_dict())
    assert (forward(without.model, BATCH)[0] - forward(with_flag.model, BATCH)[0]).abs().max() > 1e-3
    without.model.decoder.embed_tokens.weight.data[without.model.decoder.dictionary.eos()] = 0
    real = BATCH.real
    close(forward(without.model, BATCH)[0][real], forward(with_flag.model, BATCH)[0][real])
    close(step_by_step(with_flag.model, BATCH)[0][real], forward(with_flag.model, BATCH)[0][real])


# How many parameters


def G(I: int, D: int) -> int:
    """A GRU with one bias a gate."""
    return 3 * (I * D + D * D + D)


def counts(V_x: int, V_y: int, E: int, H: int, A: int, R: int) -> dict[str, int]:
    """All parameters of the bases, by the shapes of their equations; the encoder's GRUs have two biases a gate."""
    C = 2 * H
    encoder = V_x * E + 2 * (G(E, H) + 3 * H)
    output = V_y * E + V_y * R + V_y
    gated = H * H + H + 3 * (H * E + H * H + H)  # W_s, b_s; W, U, b of r, z, n
    return {
        "rnnsearch_star": encoder + (H * C + H) + G(E, H) + (A * H + A * C + 2 * A) + G(C, H)
        + R * (H + E + C + 1) + output,
        "rnnsearch": encoder + gated + 3 * H * C + (A * H + A * C + A) + 2 * R * (H + E + C + 1) + output,
        "rnnencdec": V_x * E + G(E, H) + 3 * H + (H * H + H) + gated + 3 * H * H + 2 * R * (H + E + H + 1) + output,
    }  # fmt: skip


def deltas(E: int, H: int, A: int, R: int, D: int) -> dict[str, int]:
    """What a term adds: the addend inside the tanh, its GRU, its column of the readout."""
    C = 2 * H
    return {"source_history": A * D + G(C, D) + R * D, "target_history": A * D + G(H, D) + R * D}


def size(subject: Subject) -> int:
    return sum(parameter.numel() for parameter in subject.model.parameters())


@pytest.mark.parametrize("arch", ["rnnsearch_star", "rnnsearch", "rnnencdec"])
def test_parameters_of_the_bases(arch):
    expected = counts(V_x=15, V_y=17, E=7, H=6, A=5, R=4)
    assert size(build(of(arch))) == expected[arch]


@pytest.mark.parametrize("name", ON_STAR)
def test_parameters_added_to_the_base(name):
    subject = build(SYSTEMS[name])
    truth = truth_of(subject)
    wide = 2 if truth.readout == "maxout" else 1
    added = deltas(E=7, H=6, A=5, R=4 * wide, D=3)
    base = build(of("rnnsearch_star", readout=truth.readout))
    assert size(subject) - size(base) == sum(added[term] for term in truth.terms)


@pytest.mark.parametrize(("arch", "printed"), [("sa_nmt", 2_885_120), ("ta_nmt", 2_098_688), ("ba_nmt", 4_983_808)])
def test_parameters_added_at_the_papers_sizes(arch, printed):
    sizes = ModelSizes(
        embed_dim=512, hidden_dim=512, attention_dim=None, readout_dim=None, history_dim=None,
        coverage_dim=None, covemb_dim=None, recurrent_attention_dim=None,
        embed_dropout=0, annotation_dropout=0, readout_dropout=0, init_range=0.1,
    )  # fmt: skip
    with torch.device("meta"):
        assert size(build(of(arch), sizes)) - size(build(of("rnnsearch_star"), sizes)) == printed


# Xue et al. 2019.1 (a) - (f)


def base_of(subject: Subject) -> Subject:
    """RNNsearch* with the weights of ``subject``."""
    base = build(of("rnnsearch_star", readout=truth_of(subject).readout), seed=2)
    shared = subject.model.state_dict()
    base.model.load_state_dict({name: shared[name] for name in base.model.state_dict()})
    return base


def silence(subject: Subject, names: tuple[str, ...]) -> None:
    """Zero the projections of the named histories into the tanh and into the readout."""
    decoder = subject.model.decoder
    for name in names:
        decoder.attention.terms[name].V.weight.data.zero_()
        decoder.readout.L_reads[name].weight.data.zero_()


def shut_gates(subject: Subject) -> None:
    """The update gate only keeps: b_z is large."""
    for term in subject.model.decoder.attention.terms.values():
        D = term.gru.width
        term.gru.b.data[D : 2 * D] = 80


def zero_everything(subject: Subject) -> None:
    """Every weight of the terms."""
    decoder = subject.model.decoder
    for module in (decoder.attention.terms, decoder.readout.L_reads):
        for parameter in module.parameters():
            parameter.data.zero_()


def assert_same(one: Subject, other: Subject) -> None:
    for actual, expected in zip(forward(one.model, BATCH), forward(other.model, BATCH), strict=True):
        close(actual, expected)


@pytest.mark.parametrize("name", WITH_HISTORIES)
def test_histories_do_not_touch_the_first_step_and_touch_the_second(name):
    subject = build(SYSTEMS[name])
    longer = BATCH.target_lengths > 1
    for actual, expected in zip(forward(subject.model, BATCH), forward(base_of(subject).model, BATCH), strict=True):
        close(actual[:, 0], expected[:, 0])
        assert (actual[longer, 1] - expected[longer, 1]).abs().amax(-1)[BATCH.lengths[longer] > 1].min() > 1e-6


@pytest.mark.parametrize("name", ON_STAR)
def test_a_term_whose_weights_are_zero_leaves_the_base(name):
    subject = build(SYSTEMS[name])
    zero_everything(subject)
    assert_same(subject, base_of(subject))


@pytest.mark.parametrize("name", WITH_HISTORIES)
def test_histories_that_nothing_reads_leave_the_base(name):
    subject = build(SYSTEMS[name])
    silence(subject, tuple(subject.model.decoder.attention.terms))
    assert_same(subject, base_of(subject))


@pytest.mark.parametrize("name", WITH_HISTORIES)
def test_histories_that_never_move_leave_the_base(name):
    subject = build(SYSTEMS[name])
    shut_gates(subject)
    assert_same(subject, base_of(subject))


@pytest.mark.parametrize(("silent", "arch"), [("target_history", "sa_nmt"), ("source_history", "ta_nmt")])
def test_one_silenced_history_leaves_the_other(silent, arch):
    both, one = build(of("ba_nmt"), seed=1), build(of(arch), seed=2)
    silence(both, (silent,))
    shared = both.model.state_dict()
    one.model.load_state_dict({name: shared[name] for name in one.model.state_dict()})
    assert_same(both, one)


SMALL = Widths(vocabulary=9, embedding=7, hidden=6, annotation=12, attention=5)


def one_step(random: torch.Generator) -> tuple[Source, Step, Tensor]:
    """A ragged source, a step's weights over it, and the states s_{i-1}, q_i, s_i ``(3, B, H)``."""
    mask = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]]).bool()
    h = torch.randn(2, 4, 12, dtype=torch.float64, generator=random) * mask.unsqueeze(-1)
    weights = torch.rand(2, 4, dtype=torch.float64, generator=random) * mask
    weights = weights / weights.sum(1, keepdim=True)
    context = torch.einsum("bs,bsc->bc", weights, h)
    states = torch.randn(3, 2, 6, dtype=torch.float64, generator=random)
    return Source(mask.long(), mask, h, h, h[:, 0, 6:]), Step(context, weights, {}, None, None, (), ()), states


@pytest.mark.parametrize(
    ("kind", "options", "handed_out"),
    [
        (SourceHistory, SourceHistory.Options(history_dim=12), "context"),
        (TargetHistory, TargetHistoryOptions(history_dim=6, target_history_state="prev"), 0),
        (TargetHistory, TargetHistoryOptions(history_dim=6, target_history_state="query"), 1),
        (TargetHistory, TargetHistoryOptions(history_dim=6, target_history_state="cur"), 2),
    ],
)
def test_what_a_step_hands_out_sums_to_what_it_had(kind, options, handed_out):
    """sum_j I^S_ij = c_i and sum_j I^T_ij = s_{i-1}: through a GRU that gives tanh(tiny I_ij) and keeps nothing."""
    tiny, D = 1e-8, options.history_dim
    term = kind(options, SMALL).double()
    for parameter in term.parameters():
        parameter.data.zero_()
    term.gru.b.data[D : 2 * D] = -80
    term.gru.W.data[2 * D :] = tiny * torch.eye(D, dtype=torch.float64)
    source, step, (s_prev, q, s) = one_step(torch.Generator().manual_seed(1))
    memory = term.memory(source)
    state = term.update(step, q, s_prev, s, (), memory, term.start(memory))
    expected = step.context if handed_out == "context" else (s_prev, q, s)[handed_out]
    close(state.sum(1) / tiny, expected, tolerance=1e-6)
    assert (state[~source.mask] == 0).all()


@pytest.mark.parametrize("kind", [SourceHistory, TargetHistory])
def test_histories_stay_zero_at_padding(kind):
    """GRU(0, 0) is not 0 when it has biases, so what stands at padding is zeroed."""
    term = kind(kind.Options(history_dim=3), SMALL).double()
    for parameter in term.parameters():
        torch.nn.init.uniform_(parameter, -1, 1)
    source, step, (s_prev, q, s) = one_step(torch.Generator().manual_seed(2))
    memory = term.memory(source)
    state = term.update(step, q, s_prev, s, (), memory, term.start(memory))
    assert (state[~source.mask] == 0).all()
    assert (state[source.mask] != 0).all()


KNOWS_PLACES = ("cohn_", "recurrent_attention", "luong_global_location", "luong_local")
KNOWS_PLACES_TERMS = {*BIASES, "recurrent_attention"}
PLACELESS = [
    name
    for name, model in SYSTEMS.items()
    if model.arch != "rnnencdec" and not model.arch.startswith(KNOWS_PLACES)
    if not KNOWS_PLACES_TERMS & set(model.terms or [])
    if model.options().get("attend_eos", True)
]  # systems to which a source is a set of annotations


@pytest.mark.parametrize("name", PLACELESS)
def test_permuted_annotations_permute_the_weights_and_nothing_else(name):
    model = build(SYSTEMS[name]).model
    batch, order = random_batch([6, 6], [4, 3], seed=8), torch.tensor([3, 0, 5, 1, 4, 2])
    encoded = model.encoder(batch.source, batch.lengths)
    source = encoded.source
    moved = {field: getattr(source, field)[:, order] for field in ("ids", "mask", "embeddings", "annotations")}
    logits, extra = model.decoder(batch.previous, encoded)
    logits_moved, extra_moved = model.decoder(batch.previous, encoded._replace(source=source._replace(**moved)))
    close(logits_moved, logits)
    close(extra_moved["attn"][0], extra["attn"][0][:, :, order])


# RNNencdec.9


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
        truth = run(truth_of(subject), parameters(subject), sentence.source[0].tolist(), [2])
        close(source.summary[row].detach(), torch.from_numpy(truth.contexts[0]))
