"""Every system once a round, so that a machine that slows down hits all alike."""

import functools
import gc
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from benchmarks import decoder_loop, standalone
from benchmarks.baseline import BASELINES, baseline
from benchmarks.decoding import sentences_per_second
from benchmarks.device import FEW_PAGES, pages_supplied
from benchmarks.failure import reason
from benchmarks.limit import Limit, ProductTimer
from benchmarks.products.catalogue import products_of
from benchmarks.products.product import Products
from benchmarks.results import Results, Row, Visit
from benchmarks.sizes import Size
from benchmarks.systems import BASE, FAIRSEQ, System, Trainable, build, sized, terms_of
from benchmarks.toolkits import measure as toolkits
from benchmarks.training import Step, Trainer
from fairseq_plugins.kernels import products, rounds_quickly

STEPS = 3  # of a visit, and its translations, in each precision: building and warming up take longer than a step
ATTEMPTS = 6  # at steps for which the process has all its memory
TUNED = "_tuned"  # ends the name of a baseline with the study's optimiser and settings
OF_EACH_KIND = (
    BASE, FAIRSEQ, "rnnencdec", "rnnsearch", "sa_nmt", "ta_nmt", "ba_nmt", "coverage_linguistic", "coverage_nn_gru",
    "covemb_gru_sub", "bridging_source", "interactive_attention", "luong_global_general", "luong_local_p", "cohn_all",
    "recurrent_attention", "gatt", "feng_both", "dhea", "transformer",
)  # fmt: skip
"""Measured at every size."""


class Subject(NamedTuple):
    """What is measured.

    Attributes:
        make: builds it; None for what is measured in a process of its own.
        ours: its products go through the kernels, so that their factors can be rounded.
        products: None for a system whose products nobody has counted, and for an unoptimised baseline, which makes
            more of them than it needs.
    """

    name: str
    title: str
    make: Callable[[], Trainable] | None
    ours: bool
    products: Products | None
    decodes: bool


def subjects(systems: Sequence[System], size: Size, device: torch.device, dropped: dict[str, str]) -> list[Subject]:
    """What is measured at a size, in the order of the tables."""
    found = [
        Subject(
            system.name, system.title, functools.partial(build, system, size, device), system.is_recurrent,
            products_of(sized(system.model, size), terms_of(system.model), size), decodes=size.everything,
        )
        for system in systems
        if size.everything or system.name in OF_EACH_KIND
    ]  # fmt: skip
    if has_baselines(size, device):
        for name, of in BASELINES.items():
            if of in {system.name for system in systems}:
                title = f"unoptimised baseline of {of}"
                found.append(Subject(name, title, None, False, None, decodes=False))
                make = functools.partial(baseline, name, size, device)
                found.append(Subject(name + TUNED, f"{title}, the study's settings", make, False, None, decodes=False))
    return [subject for subject in found if subject.name.removesuffix(TUNED) not in dropped]


def has_baselines(size: Size, device: torch.device) -> bool:
    """Whether unoptimised baselines are measured: on a GPU, where they take no time, at every size."""
    return size.baselines or device.type == "cuda"


def measure(
    results: Results, systems: Sequence[System], size: Size, device: torch.device, finished: Callable[[str], None],
) -> None:  # fmt: skip
    """All rounds at one size; ``finished`` is told of each visit as it ends.

    A visit that fails costs itself alone: its reason is with what was left out.
    """
    found = subjects(systems, size, device, results.dropped)
    rows = results.sizes.setdefault(size, {})
    for subject in found:
        rows[subject.name] = Row(subject.title)
    for k in range(1, results.repeats + 1):
        for subject in found:
            try:
                visited = _visit(subject, size, device, results.threads, first=k == 1)
            except Exception as error:
                said = results.dropped[f"{subject.name}, {size.name}"] = reason(error)
            else:
                rows[subject.name].visits.append(visited)
                said = f"{size.B * size.T / min(step.total for step in visited.steps):,.0f} tokens/s"
            finished(f"{size.name}, round {k}/{results.repeats}, {subject.name}: {said}")
        for name, visits in results.toolkits.items() if size.baselines else ():
            if device.type != "cpu":
                results.dropped[name] = "it would compute on the CPU, and is compared there alone"
                continue
            visits.append(toolkits.visit(name, size, results.threads, STEPS))
            finished(f"{size.name}, round {k}/{results.repeats}, {name}: {visits[-1].get('failed', 'measured')}")


def _visit(subject: Subject, size: Size, device: torch.device, threads: int, first: bool) -> Visit:
    if subject.make is None:
        return standalone.visit(subject.name, size, threads, STEPS, peak=first)
    return visit(subject, size, device, first)


def visit(subject: Subject, size: Size, device: torch.device, first: bool) -> Visit:
    """Build, warm up, measure, and leave nothing behind.

    Memory is measured on the ``first`` visit.
    """
    assert subject.make is not None  # it is no process of its own
    made = subject.make()
    trainer = Trainer(made, size, device)
    trainer.prepare()
    peak = trainer.peak_bytes() if first else None
    rounded = subject.ours and device.type == "cpu" and rounds_quickly()
    factors = ("fp32", "bf16") if rounded else ("fp32",)
    step = functools.partial(_in_turn, [functools.partial(_step, trainer, one) for one in factors])
    limit = None
    if subject.products is not None:
        timers = [ProductTimer(subject.products, device, rounded=one == "bf16") for one in factors]
        limit = functools.partial(_in_turn, [timer.limit for timer in timers])
    step()
    steps, limits, warm = warm_steps(step, limit)
    found = [([*one], [*two]) for one, two in zip(zip(*steps, strict=True), _columns(limits, factors), strict=True)]
    del trainer, step, limit
    made.model.zero_grad()
    decoder = decoder_loop.seconds(made.model, size, device) if device.type == "cuda" else None
    precisions = ("fp32", "bf16_products") if rounded else ("fp32",)
    decoded = {
        one: [sentences_per_second(made.model, size, device, one) for _ in range(STEPS)]
        for one in precisions
        if subject.decodes
    }
    del made
    gc.collect()
    return Visit(
        found[0][0], peak, decoded.get("fp32", ()), decoder, found[0][1], found[1] if rounded else None,
        decoded.get("bf16_products", ()), warm,
    )  # fmt: skip


def _step(trainer: Trainer, factors: str) -> Step:
    with products(factors):
        return trainer.step()


def _in_turn(calls: Sequence[Callable[[], Any]]) -> tuple[Any, ...]:
    return tuple(call() for call in calls)


def _columns(limits: list[tuple[Limit, ...]], factors: Sequence[str]) -> list[tuple[Limit, ...]]:
    return [*zip(*limits, strict=True)] if limits else [() for _ in factors]


def warm_steps(step: Callable[[], Any], limit: Callable[[], Any] | None = None) -> tuple[list[Any], list[Any], int]:
    """``STEPS`` steps without new memory from the system, the last of the others where ``ATTEMPTS`` yield too few; the
    limit after each of them; and how many needed none.

    A training has its memory after some ten of its thousands of steps. Here many systems share a process, and each
    finds another heap; in a virtual machine the first touch of a batch's logits takes as long as a step's products.
    The machine's speed may change within seconds, where others share it: a step and its limit shall meet the same.
    """
    warm: list[tuple[Any, Any]] = []
    others: list[tuple[Any, Any]] = []
    while len(warm) < STEPS and len(warm) + len(others) < ATTEMPTS:
        before = pages_supplied()
        done = step()
        supplied = pages_supplied() - before
        (warm if supplied <= FEW_PAGES else others).append((done, limit and limit()))
    steps, limits = zip(*(others + warm)[-STEPS:], strict=True)
    return [*steps], [*limits] if limit else [], len(warm)
