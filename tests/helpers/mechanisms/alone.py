"""A mechanism by itself, with random parameters, a ragged source and states of the decoder, for the tests."""

import torch
from torch import Tensor, nn

from fairseq_plugins.core.protocol import Source, Step

E, H, A, R, C = 7, 6, 5, 4, 12  # as in support.TINY
SHUT = -80.0  # sig(-80) is 0 for every purpose


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
