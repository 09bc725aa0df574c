"""Losses beside the likelihood: supervised attention, global fertility, and their criterion."""

import math
from argparse import Namespace
from functools import partial

import pytest
import torch
from torch import Tensor
from torch.distributions import Normal

from fairseq_plugins import registry
from fairseq_plugins.core.protocol import Target, Trace, Widths
from fairseq_plugins.criterions.auxiliary_nll import AuxiliaryNLL
from fairseq_plugins.kernels import smoothed_nll
from fairseq_plugins.terms.global_fertility import GlobalFertility, GlobalFertilityOptions
from fairseq_plugins.terms.supervised_attention import SupervisedAttention, SupervisedAttentionOptions
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.support import TINY, Batch, Subject, build, dictionary, padded, random_batch

from fairseq import metrics
from fairseq import options as fairseq_options
from fairseq.criterions.label_smoothed_cross_entropy import LabelSmoothedCrossEntropyCriterion
from fairseq.data import LanguagePairDataset
from fairseq.models import MODEL_REGISTRY
from fairseq.tasks.translation import TranslationConfig, TranslationTask

close = partial(support.close, tolerance=1e-12)
WIDTHS = Widths(vocabulary=9, embedding=7, hidden=6, annotation=12, attention=5)
BATCH = random_batch([5, 2, 4, 1], [3, 6, 1, 4], seed=3)


def of(arch: str, **options) -> VariantModel:
    return VariantModel(arch=arch, **options)


def weights_and_target(links: Tensor | None = None, seed: int = 1) -> tuple[Tensor, Tensor, Target]:
    """Random weights ``(B, T, S)``, the source mask and the target side of BATCH; junk after a sentence's end."""
    source = torch.arange(BATCH.source.shape[1]) < BATCH.lengths.unsqueeze(1)
    random = torch.Generator().manual_seed(seed)
    energies = torch.randn(*BATCH.target.shape, source.shape[1], dtype=torch.float64, generator=random)
    weights = energies.masked_fill(~source.unsqueeze(1), -torch.inf).softmax(-1)
    return weights, source, Target(BATCH.target, BATCH.real, torch.zeros(1), links)


def trace(weights: Tensor) -> Trace:
    return Trace(weights, (), (), (), ())


def random_links(seed: int = 2) -> Tensor:
    """About a third of the possible links, some words without any, and eos-eos."""
    random = torch.Generator().manual_seed(seed)
    links = torch.zeros(*BATCH.target.shape, BATCH.source.shape[1])
    for row in range(len(links)):
        S, T = int(BATCH.lengths[row]), int(BATCH.target_lengths[row])
        links[row, : T - 1, : S - 1] = (torch.rand(T - 1, S - 1, generator=random) < 0.3).float()
        links[row, T - 1, S - 1] = 1
    return links


# Supervised attention


def supervised(kind: str = "ce", coefficient: float = 1.0, sigma: float = 0.0, unaligned: str = "exclude"):
    return SupervisedAttention(SupervisedAttentionOptions(kind, coefficient, sigma, unaligned), WIDTHS)


def supervised_loss(term: SupervisedAttention, weights: Tensor, mask: Tensor, target: Target) -> Tensor:
    return term.loss((), (), mask, (), trace(weights), target)


def expected_attention(links: list[list[float]], sigma: float, unaligned: str) -> list[list[float] | None]:
    """A* of one sentence, row by row; None: a row that does not count."""
    rows = []
    for linked in links:
        found = [j for j, link in enumerate(linked) if link]
        if not found:
            rows.append(rows[-1] if unaligned == "inherit" and rows else None)
            continue
        if sigma:
            row = [sum(math.exp(-((j - k) ** 2) / (2 * sigma**2)) for k in found) for j in range(len(linked))]
        else:
            row = [float(link) for link in linked]
        rows.append([value / sum(row) for value in row])
    return rows


def distance(kind: str, expected: list[float], alpha: list[float]) -> float:
    pairs = [*zip(expected, alpha, strict=True)]
    if kind == "ce":
        return -sum(e * math.log(a + 1e-8) for e, a in pairs)
    if kind == "mse":
        return 0.5 * sum((a - e) ** 2 for e, a in pairs)
    return -math.log(sum(e * a for e, a in pairs) + 1e-8)


@pytest.mark.parametrize("kind", ["ce", "mse", "mul"])
@pytest.mark.parametrize("sigma", [0.0, 0.7])
@pytest.mark.parametrize("unaligned", ["exclude", "inherit"])
def test_supervised_attention_is_the_spec_s(kind, sigma, unaligned):
    links, expected = random_links(), 0.0
    weights, mask, target = weights_and_target(links)
    for row in range(len(links)):
        S, T = int(BATCH.lengths[row]), int(BATCH.target_lengths[row])
        for i, right in enumerate(expected_attention(links[row, :T, :S].tolist(), sigma, unaligned)):
            if right is not None:
                expected += distance(kind, right, weights[row, i, :S].tolist())
    found = supervised_loss(supervised(kind, 0.6, sigma, unaligned), weights, mask, target)
    assert float(found) == pytest.approx(0.6 * expected, abs=1e-10)


@pytest.mark.parametrize(
    ("kind", "least"), [("ce", math.log(2)), ("mse", 0.0), ("mul", math.log(2))]
)  # of a row with two links, weights 1/2 each
def test_attention_that_is_the_alignment(kind, least):
    """CE is the entropy of A*, MSE is 0."""
    links = torch.zeros_like(random_links())
    links[:, :, 0] = 1
    links[0, :2, 1] = 1
    links = links * BATCH.real.unsqueeze(-1)
    _, mask, target = weights_and_target(links)
    weights = (links / links.sum(-1, keepdim=True).clamp(min=1)).double()
    assert float(supervised_loss(supervised(kind), weights, mask, target)) == pytest.approx(2 * least, abs=1e-6)


def test_supervised_attention_is_least_where_attention_is_the_alignment():
    """The gradient of the cross-entropy points along the simplex there, and so does that of MSE."""
    links = random_links()
    _, mask, target = weights_and_target(links)
    right = supervised().expected(links.double(), mask)
    for kind in ("ce", "mse"):
        at_best = supervised_loss(supervised(kind), right, mask, target)
        for seed in range(3):
            other = right.lerp(weights_and_target(seed=seed)[0], 0.1)
            assert supervised_loss(supervised(kind), other, mask, target) > at_best


@pytest.mark.parametrize(
    ("unaligned", "links", "expected"),
    [
        ("exclude", [[0, 1, 0], [0, 0, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 0], [0, 0, 1]]),
        ("inherit", [[0, 1, 0], [0, 0, 0], [0, 0, 1]], [[0, 1, 0], [0, 1, 0], [0, 0, 1]]),
        ("inherit", [[0, 0, 0], [1, 1, 0], [0, 0, 0]], [[0, 0, 0], [0.5, 0.5, 0], [0.5, 0.5, 0]]),
    ],
)
def test_target_words_without_a_link(unaligned, links, expected):
    found = supervised(unaligned=unaligned).expected(torch.tensor([links]).double(), torch.ones(1, 3).bool())
    assert found[0].tolist() == expected


def test_supervised_attention_needs_links():
    weights, mask, target = weights_and_target()
    with pytest.raises(ValueError, match=r"supervised_attention learns from word alignments.*--load-alignments"):
        supervised_loss(supervised(), weights, mask, target)


def test_supervised_attention_adds_no_parameters_and_teaches_attention():
    subject, base = build(of("supervised_attention")), build(of("rnnsearch_star"))
    assert subject.model.state_dict().keys() == base.model.state_dict().keys()
    assert MODEL_REGISTRY["supervised_attention"].reads_links(subject.args)
    output = subject.model(BATCH.source, BATCH.lengths, BATCH.previous)
    subject.model.auxiliary_losses(output, BATCH.target, random_links())["supervised_attention"].backward()
    attention = dict(subject.model.decoder.attention.named_parameters())
    assert all(weight.grad.abs().max() > 1e-6 for weight in attention.values())


# Global fertility


def fertility(coefficient: float = 1.0, penalty: float = 0.0) -> GlobalFertility:
    term = GlobalFertility(GlobalFertilityOptions(coefficient, penalty), WIDTHS).double()
    with torch.random.fork_rng():
        torch.manual_seed(4)
        for parameter in term.parameters():
            torch.nn.init.uniform_(parameter, -0.7, 0.7)
    return term


def source_of(mask: Tensor) -> Tensor:
    random = torch.Generator().manual_seed(6)
    return torch.randn(*mask.shape, 12, dtype=torch.float64, generator=random) * mask.unsqueeze(-1)


@pytest.mark.parametrize(("coefficient", "penalty"), [(1.0, 0.0), (0.3, 0.0), (0.0, 0.2), (0.3, 0.2)])
def test_global_fertility_is_the_papers(coefficient, penalty):
    """The log-density of a normal distribution; eos among the target words but not among the source's."""
    term, (weights, mask, target), expected = fertility(coefficient, penalty), weights_and_target(), 0
    h = source_of(mask)
    for row in range(len(h)):
        f = weights[row, : int(BATCH.target_lengths[row])].sum(0)
        close(f.sum(), BATCH.target_lengths[row].double())
        for j in range(int(BATCH.lengths[row]) - 1):
            k = torch.tanh(term.W_h.weight @ h[row, j] + term.b_h)
            mu, variance = term.w_mu @ k + term.b_mu, torch.exp(term.w_v @ k + term.b_v)
            expected = expected - coefficient * Normal(mu, variance.sqrt()).log_prob(f[j])
            expected = expected + penalty * (f[j] - 1) ** 2
    words = term.memory(Namespace(annotations=h, mask=mask))
    close(term.loss((), (), words, (), trace(weights), target), expected.squeeze())


def test_global_fertility_in_a_model():
    """The sum of its sentences, whatever stands after them; reaches each of its weights, and attention."""
    subject = build(of("attnmt", terms=["global_fertility"]))

    def loss(batch: Batch) -> Tensor:
        output = subject.model(batch.source, batch.lengths, batch.previous)
        return subject.model.auxiliary_losses(output, batch.target)["global_fertility"]

    alone = sum(loss(BATCH.sentence(row)) for row in range(len(BATCH.source)))
    close(loss(BATCH), alone)
    close(loss(padded(BATCH, source=2, target=3)), alone)
    assert loss(BATCH.sentence(3)).item() == 0  # no word but eos
    loss(BATCH).backward()
    assert all(weight.grad.any() for weight in subject.model.decoder.attention.parameters())


def test_parameters_of_global_fertility():
    H, C = TINY.hidden_dim, 2 * TINY.hidden_dim
    counts = [
        sum(weight.numel() for weight in build(of("attnmt", terms=terms)).model.parameters())
        for terms in (["global_fertility"], [])
    ]
    assert counts[0] - counts[1] == H * C + H + 2 * H + 2


def test_global_fertility_stands_beside_the_structural_biases():
    registry.register("cohn_globalfert")
    terms = [term.name for term in MODEL_REGISTRY["cohn_globalfert"].terms]
    assert terms == ["position_bias", "markov_bias", "local_fertility_bias", "global_fertility"]


# The criterion


PAIRS = [(3, 4), (6, 2), (4, 5), (5, 3)]  # lengths of source and target, eos included; fairseq sorts by the first
WORD_LINKS = [
    [(0, 0), (1, 2), (1, 2)],  # (source, target), as in files of alignments
    [(4, 0)],
    [(0, 1), (3, 2)],  # touches the source's eos: fairseq drops both
    [],
]


def task(alignments: list[list[tuple[int, int]]] | None) -> tuple[TranslationTask, dict]:
    """A translation task with PAIRS as its training set, and the batch that fairseq makes of it."""
    source, target = dictionary(support.SOURCE_TYPES), dictionary(support.TARGET_TYPES)
    batch = random_batch(*zip(*PAIRS, strict=True), seed=9)
    sides = [
        [ids[row, :length] for row, length in enumerate(lengths)]
        for ids, lengths in ((batch.source, [S for S, _ in PAIRS]), (batch.target, [T for _, T in PAIRS]))
    ]
    flat = alignments and [torch.tensor([*sum(pairs, ())], dtype=torch.int32) for pairs in alignments]
    dataset = LanguagePairDataset(
        sides[0], [S for S, _ in PAIRS], source, sides[1], [T for _, T in PAIRS], target,
        left_pad_source=False, align_dataset=flat,
    )  # fmt: skip
    made = TranslationTask(TranslationConfig(), source, target)
    made.datasets["train"] = dataset
    return made, dataset.collater([dataset[k] for k in range(len(PAIRS))])


def criterion(made: TranslationTask, smoothing: float = 0.1, sentence_avg: bool = False) -> AuxiliaryNLL:
    return AuxiliaryNLL(made, sentence_avg=sentence_avg, label_smoothing=smoothing)


def test_links_of_a_batch():
    made, sample = task(WORD_LINKS)
    expected = torch.zeros(4, 5, 6)
    for row, k in enumerate(sample["id"].tolist()):
        kept = [] if k == 2 else WORD_LINKS[k]
        S, T = PAIRS[k]
        for j, i in [*kept, (S - 1, T - 1)]:
            expected[row, i, j] = 1
    assert sample["id"].tolist() == [1, 3, 2, 0]
    assert criterion(made).links(sample).equal(expected)


@pytest.mark.parametrize("alignments", [[[], [], [], []], [[(9, 0)], [(0, 9)], [], []]], ids=["none", "all dropped"])
def test_a_batch_whose_links_are_all_dropped_is_unaligned(alignments):
    made, sample = task(alignments)
    assert "alignments" not in sample
    assert criterion(made).links(sample).sum() == len(PAIRS)
    loss, _, logged = criterion(made)(subject_of("supervised_attention").model, sample)
    assert loss.isfinite()
    assert logged["aux_supervised_attention"] > 0


def subject_of(arch: str, **options) -> Subject:
    return build(of(arch, **options), dtype=torch.float32)


def test_a_text_without_alignments_is_refused_where_they_are_needed():
    made, sample = task(None)
    assert criterion(made).links(sample) is None
    with pytest.raises(ValueError, match="supervised_attention learns from word alignments"):
        criterion(made)(subject_of("supervised_attention").model, sample)
    criterion(made)(subject_of("bridging_direct").model, sample)


def test_a_set_without_alignments_beside_one_with_them_is_refused_too():
    made, sample = task(WORD_LINKS)
    without, unaligned = task(None)
    made.datasets["valid"] = without.datasets["train"]
    assert criterion(made).links(sample) is not None
    assert criterion(made).links(unaligned) is None


@pytest.mark.parametrize("sentence_avg", [False, True])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("arch", ["rnnsearch_star", "covemb_gru_sub_supobj"])
def test_everything_has_one_denominator(arch, smoothing, sentence_avg):
    """fairseq's own loss plus the auxiliary losses; NLL is fairseq's."""
    made, sample = task(WORD_LINKS)
    model = subject_of(arch).model
    loss, denominator, logged = criterion(made, smoothing, sentence_avg)(model, sample)
    plain = LabelSmoothedCrossEntropyCriterion(made, sentence_avg, smoothing)
    expected, expected_denominator, expected_log = plain(model, sample)
    auxiliary = model.auxiliary_losses(model(**sample["net_input"]), sample["target"], criterion(made).links(sample))
    assert len(auxiliary) == (2 if "covemb" in arch else 0)
    assert denominator == expected_denominator
    support.close(loss, expected + sum(auxiliary.values()), tolerance=1e-4)
    assert float(logged["nll_loss"]) == pytest.approx(float(expected_log["nll_loss"]), rel=1e-6)
    assert {name: logged[name] for name in ("ntokens", "nsentences", "sample_size")} == {
        name: expected_log[name] for name in ("ntokens", "nsentences", "sample_size")
    }
    for name, value in auxiliary.items():
        assert float(logged[f"aux_{name}"]) == pytest.approx(value.item(), rel=1e-6)


def test_what_is_logged():
    """Over two batches: losses add up, and the perplexity is that of the words alone."""
    made, sample = task(WORD_LINKS)
    model = subject_of("covemb_gru_sub_obj").model
    logs = [criterion(made)(model, sample)[2] for _ in range(2)]
    logs[1] = {**logs[1], "aux_coverage_embedding_sub": logs[1]["aux_coverage_embedding_sub"] * 3}
    with metrics.aggregate() as found:
        AuxiliaryNLL.reduce_metrics(logs)
    found, tokens = found.get_smoothed_values(), 2 * sample["ntokens"]

    def per_token(name: str) -> float:
        return float(logs[0][name] + logs[1][name]) / tokens / math.log(2)

    for name in ("loss", "nll_loss", "aux_coverage_embedding_gru", "aux_coverage_embedding_sub"):
        assert found[name] == pytest.approx(per_token(name), abs=1e-3), name
    assert found["ppl"] == pytest.approx(2 ** per_token("nll_loss"), rel=1e-3)


def test_smoothing_leaves_out_words_of_probability_0():
    """As if the vocabulary of each row were its candidates, and with gradients everywhere."""
    random = torch.Generator().manual_seed(3)
    logits = torch.randn(3, 7, dtype=torch.float64, generator=random)
    candidates = [[0, 2, 5], [1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]]
    target, padding, expected = torch.tensor([2, 6, 1]), 1, torch.zeros(2, dtype=torch.float64)
    masked = torch.full_like(logits, -torch.inf)
    for row, allowed in enumerate(candidates):
        masked[row, allowed] = logits[row, allowed]
        if target[row] != padding:
            lprobs = logits[row, allowed].log_softmax(-1)
            right = allowed.index(int(target[row]))
            others = [-lprobs[k] for k in range(len(allowed)) if k != right]
            expected += torch.stack((-0.8 * lprobs[right] + 0.2 * sum(others) / len(others), -lprobs[right]))
    masked.requires_grad_()
    found = smoothed_nll(masked, target, 0.2, padding)
    close(torch.stack(found), expected)
    found[0].backward()
    assert masked.grad.isfinite().all()
    assert (masked.grad[masked.isinf()] == 0).all()


def test_a_word_without_alternatives_is_not_smoothed():
    logits = torch.tensor([[3.0, -torch.inf, -torch.inf]], requires_grad=True)
    loss, nll = smoothed_nll(logits, torch.tensor([0]), 0.1, 1)
    assert (loss.item(), nll.item()) == (0, 0)
    loss.backward()
    assert logits.grad.abs().max() < 1e-7


def by_definition(logits, target, epsilon, padding):
    """Label smoothing, summed over rows that are no padding, written with torch's own log-softmax."""
    total = 0
    for row, right in zip(logits, target.tolist(), strict=True):
        lprobs = row[row.isfinite()].log_softmax(-1)
        if right != padding:
            right = int(row.isfinite()[:right].sum())
            rest = lprobs.sum() - lprobs[right]
            total = total - (1 - epsilon) * lprobs[right] - epsilon * rest / max(1, len(lprobs) - 1)
    return total


@pytest.mark.parametrize("epsilon", [0, 0.1, 0.5])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("scale", [1.0, 300.0])
def test_loss_and_gradient_are_those_of_the_definition(epsilon, masked, scale):
    random = torch.Generator().manual_seed(11)
    logits = scale * torch.randn(5, 9, dtype=torch.float64, generator=random)
    target = torch.tensor([3, 0, 8, 1, 5])
    if masked:
        gone = torch.rand(5, 9, generator=random) < 0.4
        gone[4] = True  # but for one word
        logits.masked_fill_(gone.scatter(1, target.unsqueeze(1), False), -torch.inf)
    found, expected = (logits.clone().requires_grad_() for _ in range(2))
    loss = smoothed_nll(found, target, epsilon, 1)[0]
    close(loss, by_definition(expected, target, epsilon, 1))
    (3 * loss).backward()
    (3 * by_definition(expected, target, epsilon, 1)).backward()
    close(found.grad, expected.grad)


def test_half_precision_is_summed_in_single():
    logits = (8 * torch.randn(4, 500, generator=torch.Generator().manual_seed(2))).to(torch.bfloat16)
    target = torch.tensor([7, 9, 20, 400])
    loss, nll = smoothed_nll(logits, target, 0.1, 1)
    assert loss.dtype == nll.dtype == torch.float32
    assert float(loss) == pytest.approx(float(by_definition(logits.double(), target, 0.1, 1)), rel=1e-5)


def test_fairseq_finds_it_by_name():
    registry.register_criterion("auxiliary_nll")
    registry.register("rnnsearch_star")
    flags = ["--arch", "rnnsearch_star", "--criterion", "auxiliary_nll", "--label-smoothing", "0.3", "--sentence-avg"]
    args = fairseq_options.parse_args_and_arch(fairseq_options.get_training_parser(), ["no data", *flags])
    made = task(None)[0].build_criterion(args)
    assert (type(made), made.eps, made.sentence_avg) == (AuxiliaryNLL, 0.3, True)
