"""The time of a training step: forward, backward, update."""

from typing import NamedTuple, Protocol

import torch

from benchmarks.batches import Sample, sample
from benchmarks.device import now, peak_bytes
from benchmarks.sizes import Size
from benchmarks.systems import PARAMS, Trainable
from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from fairseq_plugins.optim.fused_adamw import FusedAdamW
from stages.settings.optimizers import Adam
from stages.settings.params import section
from stages.settings.training import Training

from fairseq.optim.adam import FairseqAdamConfig

SETTINGS = section("corpora.demo.training", Training, PARAMS)
assert isinstance(SETTINGS.optimizer, Adam)  # what this study trains with
ADAM = SETTINGS.optimizer


class Step(NamedTuple):
    """Seconds of the parts of one training step."""

    forward: float
    backward: float
    update: float

    @property
    def total(self) -> float:
        return self.forward + self.backward + self.update


class Optimizer(Protocol):
    """What a training step asks of an optimiser, as fairseq's have it."""

    def zero_grad(self) -> None: ...
    def backward(self, loss: torch.Tensor) -> None: ...
    def multiply_grads(self, factor: float) -> None: ...
    def clip_grad_norm(self, largest: float): ...
    def step(self) -> None: ...


def _study_s(model: torch.nn.Module) -> FusedAdamW:
    config = FairseqAdamConfig(
        adam_betas=str(ADAM.betas), adam_eps=ADAM.eps, weight_decay=ADAM.weight_decay,
        lr=[SETTINGS.lr],
    )  # fmt: skip
    return FusedAdamW(config, [*model.parameters()])


class Trainer:
    """A model with a batch and an optimiser: the study's Adam, as training sets it, unless another is given."""

    def __init__(self, subject: Trainable, size: Size, device: torch.device, optimizer: Optimizer | None = None):
        self.subject, self.device = subject, device
        self.batch = sample(size, subject.reads_links, device)
        self.few = sample(size._replace(B=2), subject.reads_links, device)
        self.optimizer: Optimizer = optimizer or _study_s(subject.model)

    def prepare(self) -> None:
        """An update on two sentences, which makes gradients and moments."""
        self._step(self.few)

    def peak_bytes(self) -> int:
        """Memory that a forward and backward pass takes at its peak; ``prepare`` first."""
        return peak_bytes(self.device, self._forward_backward)

    def step(self) -> Step:
        """One timed step: waits for the device after each of its parts."""
        return self._step(self.batch)

    def run(self) -> None:
        """One step as in a training, which does not wait for a GPU."""
        loss = self.subject.loss(self.batch)
        self.optimizer.zero_grad()
        self.optimizer.backward(loss)
        self._update(self.batch)

    def _forward_backward(self) -> None:
        self.subject.loss(self.batch).backward()

    def _step(self, batch: Sample) -> Step:
        start = now(self.device)
        loss = self.subject.loss(batch)
        forward = now(self.device)
        self.optimizer.zero_grad()
        self.optimizer.backward(loss)
        backward = now(self.device)
        self._update(batch)
        return Step(forward - start, backward - forward, now(self.device) - backward)

    def _update(self, batch: Sample) -> None:
        self.optimizer.multiply_grads(1 / batch["ntokens"])
        self.optimizer.clip_grad_norm(SETTINGS.clip_norm)
        self.optimizer.step()
