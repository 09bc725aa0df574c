"""The criterion of the likelihood and what models add to it: links of a batch, denominators, what is logged."""

import math

import pytest
import torch

from fairseq_plugins import registry
from fairseq_plugins.criterions.auxiliary_nll import AuxiliaryNLL
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.support import Subject, build, dictionary, random_batch

from fairseq import metrics
from fairseq import options as fairseq_options
from fairseq.criterions.label_smoothed_cross_entropy import LabelSmoothedCrossEntropyCriterion
from fairseq.data import LanguagePairDataset
from fairseq.tasks.translation import TranslationConfig, TranslationTask

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
    return build(VariantModel(arch=arch, **options), dtype=torch.float32)


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


def test_fairseq_finds_it_by_name():
    registry.register_criterion("auxiliary_nll")
    registry.register("rnnsearch_star")
    flags = ["--arch", "rnnsearch_star", "--criterion", "auxiliary_nll", "--label-smoothing", "0.3", "--sentence-avg"]
    args = fairseq_options.parse_args_and_arch(fairseq_options.get_training_parser(), ["no data", *flags])
    made = task(None)[0].build_criterion(args)
    assert (type(made), made.eps, made.sentence_avg) == (AuxiliaryNLL, 0.3, True)
