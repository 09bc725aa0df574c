"""What is measured is what it is called. How fast anything is, is not tested here."""

import itertools

import pytest
import torch

from benchmarks import decoder_loop, device, limit, rounds
from benchmarks.baseline import BASELINES, baseline
from benchmarks.batches import SPECIAL, sample
from benchmarks.decoding import sentences_per_second
from benchmarks.limit import Limit, ProductTimer
from benchmarks.products.product import Product
from benchmarks.results import Results, Row, Visit
from benchmarks.sizes import SMOKE
from benchmarks.spread import NONE, shown, spread
from benchmarks.systems import BASE, FAIRSEQ, build, named, systems
from benchmarks.training import Step, Trainer
from fairseq_plugins.kernels.rounding import rounded_product

CPU = torch.device("cpu")
TINY = SMOKE[0]


@pytest.mark.parametrize(("layout", "batch"), [("nn", 1), ("nt", 1), ("tn", 1), ("nn", 3), ("nt", 3), ("tn", 3)])
def test_products_are_timed_at_their_shape(monkeypatch, layout, batch):
    seen = []
    for name in ("mm", "bmm"):
        multiply = getattr(torch, name)

        def watched(first, second, multiply=multiply, **out):
            seen.append((first, second))
            return multiply(first, second, **out)

        monkeypatch.setattr(torch, name, watched)
    clock = itertools.count()
    monkeypatch.setattr(limit, "now", lambda device: next(clock))
    product = Product("", layout, rows=5, inner=3, columns=4, batch=batch, times=7)
    found = ProductTimer([product, product], CPU, moment=0.0).limit()
    assert found == (14 * 2 * 5 * 3 * 4 * batch, 14)
    assert len(seen) == 3  # made, warm and timed: once, though there are two of them
    first, second = seen[0]
    assert (first.shape[-2:], second.shape[-2:]) == ((5, 3), (3, 4))
    assert [factor.is_contiguous() for factor in (first, second)] == [letter == "n" for letter in layout]


def test_a_product_of_microseconds_is_not_repeated_without_end(monkeypatch):
    monkeypatch.setattr(limit, "MOST", 4)
    clock = itertools.count(step=limit.MOMENT / 100)
    monkeypatch.setattr(limit, "now", lambda device: next(clock))
    made = []
    timer = ProductTimer([Product("", "nn", rows=1, inner=1, columns=1)], CPU)
    timer.work = {shape: lambda: made.append(1) for shape in timer.work}
    timer.limit()
    assert len(made) == 4


@pytest.mark.parametrize(("kind", "looks", "seconds"), [("cpu", 10, 1.1e-3), ("cuda", 8, 1.08e-4)])
def test_a_gpu_is_waited_for_once_a_batch(monkeypatch, kind, looks, seconds):
    """A product takes 0.1 ms, a look at the clock 1 ms."""
    passed, asked = [0.0], []

    def now(device: torch.device) -> float:
        asked.append(device)
        passed[0] += 1e-3
        return passed[0]

    def multiply() -> None:
        passed[0] += 1e-4

    timer = ProductTimer([Product("", "nn", rows=1, inner=1, columns=1)], CPU)
    monkeypatch.setattr(limit, "now", now)
    timer.work, timer.device = {shape: multiply for shape in timer.work}, torch.device(kind)
    assert timer.limit().seconds == pytest.approx(seconds, rel=0.01)
    assert len(asked) == 1 + looks


def test_the_fraction_is_that_of_the_same_moment():
    """A machine at half its speed in the second round."""
    row = Row("")
    for slower in (1, 2):
        steps, limits = [Step(0, 0, 1.0 * slower)] * 2, [Limit(10**9, 0.7 * slower)] * 2
        row.visits.append(Visit(steps, None, (), None, limits))
    found = row.summary(TINY)
    assert found["fraction_of_limit"] == pytest.approx({"median": 0.7, "min": 0.7, "max": 0.7})
    assert found["product_seconds"] == pytest.approx({"median": 1.05, "min": 0.7, "max": 1.4})
    assert found["gigaflop"] == 1


def test_memory_at_its_peak():
    """40 MB for a moment, beside what is there before."""

    def work() -> None:
        torch.ones(10_000_000)
        torch.ones(1_000_000)

    before = torch.ones(1_000_000)
    assert device.peak_bytes(CPU, work) == 40_000_000
    assert before.all()


def test_steps_are_measured_once_the_process_has_its_memory(monkeypatch):
    """Pages that each step needs from the system, and which steps count: the first that need none, or in their place
    the last that needed some. A limit belongs to the step before it."""

    def measured(pages: list[int]) -> tuple[list[int], int]:
        waiting, supplied = iter([*pages, *[9000] * 20]), [0]
        monkeypatch.setattr(rounds, "pages_supplied", lambda: supplied[0])
        made: list[int] = []

        def step() -> int:
            supplied[0] += next(waiting)
            made.append(len(made) + 1)
            return made[-1]

        def limit() -> int:
            supplied[0] += 9000
            return made[-1]

        steps, limits, warm = rounds.warm_steps(step, limit)
        assert steps == limits
        return steps, warm

    monkeypatch.setattr(rounds, "STEPS", 2)
    assert measured([0, 0]) == ([1, 2], 2)
    assert measured([9000, 1, 60, 0, 0]) == ([2, 4], 2)
    assert measured([60, 0]) == ([rounds.ATTEMPTS, 2], 1)
    assert rounds.warm_steps(lambda: 0) == ([0, 0], [], 2)


@pytest.mark.parametrize("name", [BASE, FAIRSEQ, "transformer", "transformer_aligned", "lvnmt"])
def test_every_translation_has_as_many_pieces(name):
    (system,) = named([name])
    subject = build(system, TINY, CPU)
    assert sentences_per_second(subject.model, TINY, CPU) > 0


@pytest.mark.parametrize("name", ["covemb_gru_sub_supobj", "cohn_agreement", FAIRSEQ])
def test_a_step_trains_with_all_losses(name):
    (system,) = named([name])
    subject = build(system, TINY, CPU)
    trainer = Trainer(subject, TINY, CPU)
    before = [parameter.detach().clone() for parameter in subject.model.parameters()]
    trainer.prepare()
    assert trainer.step().total > 0
    moved = [not torch.equal(old, new) for old, new in zip(before, subject.model.parameters(), strict=True)]
    assert all(moved)


def test_a_step_that_does_not_wait_is_the_same():
    """Of two models with the same weights, without dropout."""
    (system,) = named([BASE])
    subjects = [build(system, TINY, CPU) for _ in range(2)]
    subjects[1].model.load_state_dict(subjects[0].model.state_dict())
    for subject, step in zip(subjects, ("step", "run"), strict=True):
        subject.model.eval()
        getattr(Trainer(subject, TINY, CPU), step)()
    first, second = (subject.model.parameters() for subject in subjects)
    assert all(torch.equal(one, other) for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("name", [BASE, FAIRSEQ, *BASELINES])
def test_the_decoder_alone(name):
    """Its weights get gradients, those of the encoder none."""
    model = (baseline(name, TINY, CPU) if name in BASELINES else build(*named([name]), TINY, CPU)).model
    assert decoder_loop.seconds(model, TINY, CPU) > 0
    assert [
        name for name, weight in model.named_parameters() if weight.grad is not None and name.startswith("encoder.")
    ] == []
    assert any(weight.grad is not None for weight in model.parameters())


def test_a_batch_is_full_and_shifted():
    batch = sample(TINY, True, CPU)
    target, previous = batch["target"], batch["net_input"]["prev_output_tokens"]
    assert torch.equal(previous[:, 1:], target[:, :-1]) and bool((previous[:, 0] == SPECIAL.eos()).all())
    assert batch["ntokens"] == int(target.ne(SPECIAL.pad()).sum()) == TINY.B * TINY.T
    assert len(batch["alignments"]) == TINY.B * (min(TINY.S, TINY.T) - 1)


def test_variants_that_share_a_model_share_a_figure():
    found = {system.name: system.variants for system in systems()}
    assert found["rnnsearch"] == (
        "rnnsearch", "rnnsearch_30", "rnnsearch_50", "rnnsearch_50_long", "rnnsearch_continued",
    )  # fmt: skip
    assert named(["rnnsearch_50"]) == named(["rnnsearch"])
    assert [*found][-1] == FAIRSEQ


def test_steps_of_both_precisions_are_compared_in_pairs():
    """A machine at half its speed in the second pair."""
    row, limits = Row(""), [Limit(10**9, 0.7), Limit(10**9, 1.4)]
    steps, rounded = [Step(0, 0, 1.0), Step(0, 0, 2.0)], [Step(0, 0, 0.5), Step(0, 0, 1.0)]
    half = [one._replace(seconds=one.seconds / 4) for one in limits]
    row.visits.append(Visit(steps, None, (), None, limits, (rounded, half)))
    found = row.summary(TINY)["rounded"]
    assert found["times"] == {"median": 2.0, "min": 2.0, "max": 2.0}
    assert found["fraction_of_limit"] == pytest.approx({"median": 0.35, "min": 0.35, "max": 0.35})
    assert found["tokens_per_second"]["max"] == TINY.B * TINY.T / 0.5
    row.visits[0] = Visit(steps, None, (), None, limits)
    assert row.summary(TINY)["rounded"] is None


def test_translations_of_all_visits_count():
    row = Row("")
    for speeds in ((1.0, 3.0), (8.0,)):
        row.visits.append(Visit([Step(0, 0, 1.0)], None, speeds, None, []))
    assert row.summary(TINY)["sentences_per_second"] == {"median": 3.0, "min": 1.0, "max": 8.0}


def test_one_measurement_has_no_range():
    assert (shown(spread([29.24])), shown(spread([1.0, 1.1])), shown(None)) == ("29.2", "1.1 (1.0–1.1)", NONE)


def subject(name: str) -> rounds.Subject:
    return rounds.Subject(name, "", lambda: None, ours=False, products=None, decodes=False)


def test_a_visit_that_fails_costs_itself(monkeypatch):
    def visited(of, size, device, first):
        if of.name == "a":
            raise RuntimeError("out of memory\nmore")
        return Visit([Step(0, 0, 1.0)], None, (), None, [])

    monkeypatch.setattr(rounds, "subjects", lambda *of: [subject("a"), subject("b")])
    monkeypatch.setattr(rounds, "visit", visited)
    results, said = Results(2, 1, {}), []
    rounds.measure(results, [], TINY, CPU, said.append)
    assert results.dropped == {"a, smoke": "RuntimeError: out of memory"}
    assert said[:2] == ["smoke, round 1/2, a: RuntimeError: out of memory", "smoke, round 1/2, b: 12 tokens/s"]
    assert len(said) == 4 and [*results.summary()["sizes"]["smoke"]["systems"]] == ["b"]


def test_toolkits_are_measured_where_ours_compute_on_the_cpu_too(monkeypatch):
    monkeypatch.setattr(rounds, "subjects", lambda *of: [])
    monkeypatch.setattr(rounds.toolkits, "visit", lambda *of: {})
    for device_of_ours, times in (("cpu", 1), ("cuda", 0)):
        results = Results(1, 1, {}, ["eole"])
        rounds.measure(results, [], TINY, torch.device(device_of_ours), print)
        assert len(results.toolkits["eole"]) == times and ("eole" in results.dropped) == (times == 0)


def test_rounded_products_are_timed_with_rounded_factors():
    first, second = torch.randn(70, 40), torch.randn(40, 50)
    out = torch.empty(70, 50)
    rounded_product(first, second)(out)
    assert torch.allclose(out, first.bfloat16().float() @ second.bfloat16().float(), atol=1e-5)
    timer = ProductTimer([Product("", "nt", 5, 3, 4), Product("", "nn", 1, 3, 4, batch=2)], CPU, 0.0, rounded=True)
    assert timer.limit().seconds > 0 and len(timer.work) == 2
