"""``training.length_multiple``: more padding, the same sentences, and so the same losses and gradients."""

from argparse import Namespace
from functools import cache
from pathlib import Path

import pytest
import torch
from torch import Tensor

from fairseq_plugins.core.candidates import CandidateLists
from fairseq_plugins.criterions.auxiliary_nll import AuxiliaryNLL
from fairseq_plugins.optim import fused_adamw  # noqa: F401  makes it known to fairseq
from stages.settings.params import section
from stages.settings.training import Training
from stages.training.arguments import training_arguments
from tests.helpers import support, tiny
from tests.helpers.support import random_batch

from fairseq import options, tasks
from fairseq.data import LanguagePairDataset
from fairseq.models import FairseqEncoderDecoderModel

PAIRS = [(3, 4), (6, 2), (4, 5), (1, 1), (5, 3)]  # lengths of source and target, eos included
LINKS = [[0, 0, 1, 2], [4, 0, 3, 0], [2, 3, 0, 1], [], [3, 1]]  # source word, target word, source word, …
SIDES = {"source": support.SOURCE_TYPES, "target": support.TARGET_TYPES}
SYSTEMS = (
    "rnnencdec", "rnnsearch_star", "ba_nmt", "coverage_linguistic", "covemb_gru_sub_obj", "covemb_gru_sub_supobj",
    "bridging_direct", "cohn_globalfert", "cohn_agreement", "gatt", "dhea", "interactive_attention", "luong_local_p",
    "luong general on d2", "fertility by eta", "supervised_attention", "lvnmt", "everything at once",
)  # fmt: skip


@cache
def sample(multiple: int) -> dict:
    """The batch that fairseq makes of PAIRS and LINKS."""
    drawn = random_batch(*zip(*PAIRS, strict=True), seed=4)
    source = [drawn.source[row, :length] for row, (length, _) in enumerate(PAIRS)]
    target = [drawn.target[row, :length] for row, (_, length) in enumerate(PAIRS)]
    dictionaries = [support.dictionary(types) for types in SIDES.values()]
    dataset = LanguagePairDataset(
        source, [*map(len, source)], dictionaries[0], target, [*map(len, target)], dictionaries[1],
        left_pad_source=False, align_dataset=[torch.tensor(links, dtype=torch.int32) for links in LINKS],
        pad_to_multiple=multiple,
    )  # fmt: skip
    task = Namespace(target_dictionary=dictionaries[1], datasets={"train": dataset})
    return {"task": task} | dataset.collater([dataset[k] for k in range(len(dataset))])


def build(name: str) -> FairseqEncoderDecoderModel:
    model = support.build(support.SYSTEMS[name]).model
    if name == "lvnmt":
        words = {(word,): [4 + word % 5] for word in range(4, 4 + support.SOURCE_TYPES)}
        model.decoder.candidates = CandidateLists(words, *(4 + types for types in SIDES.values()), always=range(6))
    return model


def losses_and_gradients(
    model: FairseqEncoderDecoderModel, multiple: int
) -> tuple[dict[str, Tensor], list[Tensor | None]]:
    model.zero_grad()
    batch = dict(sample(multiple))
    criterion = AuxiliaryNLL(batch.pop("task"), sentence_avg=False, label_smoothing=0.1)
    loss, denominator, logged = criterion(model, batch)
    loss.backward()
    assert denominator == sum(length for _, length in PAIRS)
    losses = {key: value for key, value in logged.items() if isinstance(value, Tensor)}
    return losses, [parameter.grad for parameter in model.parameters()]


@pytest.mark.parametrize(("multiple", "width"), [(1, (6, 5)), (4, (8, 8)), (5, (10, 5))])
def test_both_sides_are_padded_on(multiple, width):
    batch = sample(multiple)
    shapes = [batch["net_input"]["src_tokens"].shape, batch["target"].shape]
    assert [tuple(shape) for shape in shapes] == [(len(PAIRS), length) for length in width]
    assert batch["net_input"]["prev_output_tokens"].shape == batch["target"].shape
    assert batch["ntokens"] == sum(length for _, length in PAIRS)


@pytest.mark.parametrize("name", SYSTEMS)
def test_losses_and_gradients_do_not_depend_on_it(name):
    """Auxiliary losses, which read word alignments and states, among them."""
    model = build(name)
    expected_losses, expected = losses_and_gradients(model, 1)
    for multiple in (4, 5):
        losses, found = losses_and_gradients(model, multiple)
        assert losses.keys() == expected_losses.keys()
        for key, loss in losses.items():
            torch.testing.assert_close(loss, expected_losses[key], rtol=1e-13, atol=1e-12)
        assert [gradient is None for gradient in found] == [gradient is None for gradient in expected]
        for one, other in zip(found, expected, strict=True):
            if one is not None:
                torch.testing.assert_close(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("multiple", [1, 7])
def test_the_setting_reaches_fairseqs_batches(multiple):
    """The batches of the study are those without it, padded on."""
    study = tiny.study()
    settings = section(f"corpora.{tiny.CORPUS}.training", Training, study / "params.yaml")
    settings = settings.model_copy(update={"length_multiple": multiple})
    flags = training_arguments(settings, tiny.SEED, study / tiny.DATA, Path("scratch"), (tiny.SOURCE, tiny.TARGET))
    model = ["--arch", "lstm", "--criterion", "label_smoothed_cross_entropy"]
    args = options.parse_args_and_arch(options.get_training_parser(), [*flags, *model])
    with tiny.quiet():
        task = tasks.setup_task(args)
        task.load_dataset("train")
        batches = [*task.get_batch_iterator(
            task.dataset("train"), max_tokens=args.max_tokens, max_sentences=None, seed=tiny.SEED,
            required_batch_size_multiple=args.required_batch_size_multiple,
        ).next_epoch_itr(shuffle=False)]  # fmt: skip
    assert len(batches) > 5
    for batch in batches:
        longest = [int(batch["net_input"]["src_lengths"].max()), int(batch["target"].ne(1).sum(1).max())]
        shapes = [batch["net_input"]["src_tokens"].shape[1], batch["target"].shape[1]]
        assert shapes == [-(-length // multiple) * multiple for length in longest]
        assert len(batch["target"]) * max(longest) <= settings.max_tokens
