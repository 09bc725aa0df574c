"""Systems of whole mechanisms on RNNsearch*, the base that they come from, and a mechanism run by itself."""

from functools import partial

import torch
from torch import Tensor, nn

from fairseq_plugins.core.protocol import Source, Step
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.invariants import BATCH
from tests.helpers.support import Subject, build, forward

close = partial(support.close, tolerance=1e-12)
E, H, A, R, C = 7, 6, 5, 4, 12  # as in support.TINY
SHUT = -80.0  # sig(-80) is 0 for every purpose
SYSTEMS = {
    "interactive": VariantModel(arch="interactive_attention"),
    "interactive, separate write": VariantModel(arch="interactive_attention", ia_separate_write=True),
    "gatt": VariantModel(arch="gatt"),
    "gatt by the query": VariantModel(arch="gatt", gatt_state="query"),
    "gatt, reset before": VariantModel(arch="gatt", gru_reset_before=True),
    "gatt_inv": VariantModel(arch="gatt_inv"),
    "gatt_inv by the query": VariantModel(arch="gatt_inv", gatt_state="query"),
    "gatt_inv, reset before": VariantModel(arch="gatt_inv", gru_reset_before=True),
    "dhea": VariantModel(arch="dhea"),
}


def named(start: str) -> list[str]:
    return [name for name in SYSTEMS if name.split(",")[0].split(" ")[0] == start]


def base_of(subject: Subject) -> Subject:
    """RNNsearch* with the weights of ``subject``, columns that only the mechanism has cut off."""
    base = build(VariantModel(arch="rnnsearch_star"), seed=2)
    weights = subject.model.state_dict() | {
        "decoder.attention.U_a.bias": subject.model.decoder.attention.b_a.data,
    }
    shared = {name: weights[name] for name in base.model.state_dict()}
    for name in ("decoder.cell.gru_2.W", "decoder.readout.L_c.weight"):
        shared[name] = shared[name][:, :C]
    base.model.load_state_dict(shared)
    return base


def assert_baseline(subject: Subject) -> None:
    for actual, expected in zip(forward(subject.model, BATCH), forward(base_of(subject).model, BATCH), strict=True):
        close(actual, expected)


def assert_not_baseline(subject: Subject, first: int) -> None:
    """Step ``first`` differs, counted from 0; none before it does."""
    actual, expected = forward(subject.model, BATCH)[0], forward(base_of(subject).model, BATCH)[0]
    close(actual[:, :first], expected[:, :first])
    assert (actual - expected)[BATCH.target_lengths > first, first].abs().amax(-1).min() > 1e-6


def zero(*weights: nn.Linear | nn.Parameter) -> None:
    for weight in weights:
        (weight.weight if isinstance(weight, nn.Linear) else weight).data.zero_()


def randomised(mechanism: nn.Module, seed: int = 3) -> nn.Module:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        for parameter in mechanism.double().parameters():
            nn.init.uniform_(parameter, -0.7, 0.7)
    return mechanism


def ragged(seed: int = 0, lengths: tuple[int, ...] = (4, 2)) -> tuple[Source, Tensor]:
    """A source, and three states of the decoder for each of five steps ``(5, 3, B, H)``: q, s_prev, s."""
    random = torch.Generator().manual_seed(seed)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    h = torch.randn(*mask.shape, C, dtype=torch.float64, generator=random) * mask.unsqueeze(-1)
    states = torch.randn(5, 3, len(lengths), H, dtype=torch.float64, generator=random).tanh()
    return Source(mask.long(), mask, h, h, h[:, 0, :H]), states


def run(mechanism: nn.Module, source: Source, states: Tensor) -> tuple[list[Step], list]:
    """The mechanism alone: its steps, and its states, the first one included."""
    memory = mechanism.memory(source)
    steps, kept = [], [mechanism.start(memory)]
    for q, s_prev, s in states:
        steps.append(mechanism.step((), q, s_prev, memory, kept[-1]))
        kept.append(mechanism.update(steps[-1], q, s_prev, s, memory))
    return steps, kept
