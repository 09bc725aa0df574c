"""CUDA graphs: which passes are recorded and replayed, and that losses and gradients stay what they are."""

import re
from pathlib import Path

import pandas as pd
import pytest
import torch
from torch import Tensor

from fairseq_plugins.core.graphs import Recorder, replay
from fairseq_plugins.core.tree import leaves, with_leaves
from fairseq_plugins.kernels import products
from stages.training import loop
from tests.helpers import support, tiny
from tests.helpers.support import Batch, build
from tests.helpers.tapes import (
    BATCHES,
    DROPOUT,
    ORDER,
    OnCpu,
    Tape,
    counts,
    held_to,
    loss,
    losses_and_gradients,
    on_tapes,
    taping,
    trained,
    waiting,
)

FROZEN = ("covemb_gru_sub_obj", "fertility by eta")  # which ask the host for the shortest sentence
SYSTEMS = (
    "rnnencdec", "rnnsearch_star", "ba_nmt", "covemb_gru_sub_supobj", "bridging_direct", "bridging_target",
    "interactive_attention", "cohn_agreement", "gatt", "dhea", "luong_local_p", "supervised_attention", "lvnmt",
    *FROZEN,
)  # fmt: skip
ROUNDED = ("rnnsearch_star", "ba_nmt", "luong_local_p")  # trained with products in bf16


@pytest.mark.slow
@on_tapes
@pytest.mark.parametrize("name", SYSTEMS)
def test_losses_and_gradients_stay_what_they_are(name):
    """To the last bit, with the same random numbers of dropout."""
    expected = losses_and_gradients(trained(name, DROPOUT))
    model = trained(name, DROPOUT)
    passes = replay(model, OnCpu)
    held_to(losses_and_gradients(model), expected, tolerance=0)
    decoders = 2 if name == "cohn_agreement" else 1
    assert model.decoder.attention.final_state == (name in FROZEN)
    assert counts(passes) == [(0, 0, len(ORDER)) if name in FROZEN else (2, len(ORDER), 0)] * decoders


@pytest.mark.slow
@on_tapes
@pytest.mark.parametrize("name", [name for name in support.RECURRENT if name not in SYSTEMS])
def test_every_system_can_be_recorded(name):
    """Once, for one shape."""
    model, plain = trained(name, DROPOUT), trained(name, DROPOUT)
    passes, gradients = replay(model, OnCpu), []
    for one in (model, plain):
        torch.manual_seed(0)
        loss(one, BATCHES[0]).backward()
        gradients.append([parameter.grad for parameter in one.parameters()])
    held_to(*gradients, tolerance=0)
    assert set(counts(passes)) == {(0, 0, 1) if model.decoder.attention.final_state else (1, 1, 0)}


@pytest.mark.slow
@on_tapes
@pytest.mark.parametrize("name", ROUNDED)
def test_products_that_round_their_factors_are_recorded(name):
    with products("bf16"):
        expected = losses_and_gradients(trained(name, DROPOUT).float())
        model = trained(name, DROPOUT).float()
        passes = replay(model, OnCpu)
        held_to(losses_and_gradients(model), expected, tolerance=0)
    assert counts(passes) == [(2, len(ORDER), 0)]


@on_tapes
def test_an_output_that_a_loss_reads_no_more_has_no_gradient():
    """Once attention is part of the objective, then it is not."""
    gradients = []
    for model in (trained("rnnsearch_star"), trained("rnnsearch_star")):
        if gradients:
            replay(model, OnCpu)
        for attended in (1, 0):
            model.zero_grad()
            logits, weights = support.forward(model, BATCHES[0])
            (logits.square().sum() + (weights.square().sum() if attended else 0)).backward()
        gradients.append([parameter.grad for parameter in model.parameters()])
    held_to(*gradients, tolerance=0)


@pytest.mark.slow
@on_tapes
def test_a_shape_is_recorded_once_and_only_the_first_ones():
    model = trained("ba_nmt")
    expected = losses_and_gradients(trained("ba_nmt"))
    passes = replay(model, OnCpu, most=1)
    held_to(losses_and_gradients(model), expected, tolerance=0)
    assert counts(passes) == [(1, 3, 2)]


@on_tapes
def test_padding_beyond_the_positions_is_recorded_and_a_longer_source_of_the_same_shape_refused():
    """Which the device is asked for outside of the recording."""
    wide = [support.padded(support.random_batch([length, 2], [3, 2]), 9 - length, 0) for length in (5, 6)]
    model = build(support.of("luong_global_location", location_positions=5)).model.train()
    passes = replay(model, OnCpu)
    loss(model, wide[0]).backward()
    with pytest.raises(ValueError, match="a source of 6 pieces is longer than the 5 positions"):
        loss(model, wide[1])
    assert counts(passes) == [(1, 1, 0)]


@on_tapes
def test_a_batch_with_and_one_without_gradients_of_the_encoder_are_two():
    model = trained("rnnsearch_star")
    passes = replay(model, OnCpu)
    loss(model, BATCHES[0]).backward()
    model.encoder.requires_grad_(False)
    loss(model, BATCHES[0]).backward()
    assert counts(passes) == [(2, 2, 0)]


@on_tapes
def test_what_is_not_training_is_not_recorded():
    model, plain, batch = trained("ba_nmt"), trained("ba_nmt"), BATCHES[0]
    passes = replay(model, OnCpu)
    with torch.no_grad():
        support.close(loss(model, batch), loss(plain, batch), tolerance=0)
    model.eval()
    loss(model, batch).backward()
    for one, other in zip(support.step_by_step(model, batch), support.step_by_step(plain, batch), strict=True):
        support.close(one, other, tolerance=0)
    assert counts(passes) == [(0, 0, 0)]


def test_on_a_cpu_nothing_is_recorded_and_nothing_refused():
    expected = losses_and_gradients(trained("ba_nmt"))
    model = trained("ba_nmt")
    passes = replay(model)
    held_to(losses_and_gradients(model), expected, tolerance=0)
    assert isinstance(passes[0].recorder, Recorder)
    assert counts(passes) == [(0, 0, 0)]


def test_fairseqs_own_systems_stay_as_they_are():
    name = next(iter(support.OF_FAIRSEQ))
    assert replay(build(support.OF_FAIRSEQ[name]).model, OnCpu) == []


@on_tapes
def test_two_batches_forward_before_one_backward_are_refused():
    """The first one's states are gone; its gradients would be those of a mixture."""
    model = trained("rnnsearch_star")
    replay(model, OnCpu)
    first, second = loss(model, BATCHES[0]), loss(model, BATCHES[1])
    with pytest.raises(RuntimeError, match="backward before the next one goes forward"):
        first.backward()
    second.backward()


@on_tapes
def test_checkpoints_do_not_know():
    model = trained("ba_nmt")
    names = list(model.state_dict())
    replay(model, OnCpu)
    loss(model, BATCHES[0]).backward()
    assert list(model.state_dict()) == names


def gathered(outputs: list[Tensor]) -> list[Tensor]:
    """The leaves whose gradients are gathered in a backward pass from ``outputs``."""
    nodes, seen = [x.grad_fn for x in outputs if x.grad_fn is not None], set()
    found = []
    while nodes:
        node = nodes.pop()
        if node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            found.append(node.variable)
        nodes += [following for following, _ in node.next_functions if following is not None]
    return found


@on_tapes
@pytest.mark.parametrize(
    "name",
    [
        name if name in ("rnnencdec", "rnnsearch_star") else pytest.param(name, marks=pytest.mark.slow)
        for name in SYSTEMS
        if name not in FROZEN
    ],
)
def test_no_node_that_gathers_a_gradient_outside_takes_part_in_a_recording(name):
    """Those of the model's parameters belong to the default stream after an update, and CUDA refuses to record them."""
    model, found = trained(name), []

    class Seen(OnCpu):
        def record(self, function, inputs, module):
            def seen(given: list[Tensor]) -> list[Tensor]:
                outputs = function(given)
                found.append({id(x) for x in gathered(outputs)})
                return outputs

            seen.outputs = function.outputs
            return super().record(seen, inputs, module)

    replay(model, Seen)
    loss(model, BATCHES[0]).backward()
    ours = {id(parameter) for parameter in model.parameters()}
    assert found and all(leaves and leaves.isdisjoint(ours) for leaves in found)
    assert {id(parameter) for parameter in model.parameters()} == ours


@pytest.mark.slow
@on_tapes
def test_all_graphs_of_a_decoder_share_one_pool_and_those_of_another_have_theirs(monkeypatch):
    """A forward and a backward pass each; two decoders are under way at once, so that one would overwrite the other."""
    handles, recorded = iter(range(9)), []

    def recording(tape: Tape, pool: int, capture_error_mode: str):
        recorded.append(pool)
        return taping(tape, pool, capture_error_mode)

    monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: next(handles))
    monkeypatch.setattr(torch.cuda, "graph", recording)
    model = trained("cohn_agreement")
    replay(model, OnCpu)
    for batch in BATCHES[:2]:
        loss(model, batch).backward()
    assert sorted(recorded) == [0] * 4 + [1] * 4


def test_leaves_of_a_tree():
    a, b, c = torch.zeros(3).unbind()
    tree = (a, (), None, Batch(b, (c,), None, ()))
    assert [x is y for x, y in zip(leaves(tree), [a, b, c], strict=True)] == [True] * 3
    other = with_leaves(tree, [c, a, b])
    assert isinstance(other[3], Batch)
    assert (other[0], other[1:3], other[3].source, other[3].lengths[0]) == (c, ((), None), a, b)


@pytest.mark.training
@on_tapes
def test_training_replays_and_says_how_often(monkeypatch, capfd):
    """All but the first update, which places and casts the model; without a GPU nothing, and nothing is said."""
    plain = tiny.train("graphs", Path("scratch-plain"), Path("models-plain"))
    assert "CUDA graphs" not in capfd.readouterr().out
    monkeypatch.setattr(loop, "replay", lambda model: replay(model, OnCpu))
    found = tiny.train("graphs", Path("scratch-graphs"), Path("models-graphs"))
    said = re.search(r"graphs-1: (\d+) passes replayed from (\d+) CUDA graphs, 0 not", capfd.readouterr().out)
    assert int(said[1]) == tiny.record(found)["updates"] - 1 > int(said[2]) > 0
    assert "cuda_graphs_switched_off" not in tiny.record(found)
    for one, other in zip(*(tiny.checkpoint(folder)["model"].values() for folder in (found, plain)), strict=True):
        support.close(one, other, tolerance=1e-6)


# The real thing


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")
@pytest.mark.parametrize("name", support.SYSTEMS)
def test_cuda_graphs_do_what_their_kernels_did(name):
    expected = losses_and_gradients(trained(name, DROPOUT).cuda(), "cuda")
    model = trained(name, DROPOUT).cuda()
    passes = replay(model)
    held_to(losses_and_gradients(model, "cuda"), expected, tolerance=1e-10)
    frozen = model.decoder.attention.final_state
    assert set(counts(passes)) == {(0, 0, len(ORDER)) if frozen else (2, len(ORDER), 0)}


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")
@pytest.mark.parametrize("name", ROUNDED)
def test_cuda_graphs_of_products_that_round_their_factors(name):
    with products("bf16"):
        expected = losses_and_gradients(trained(name, DROPOUT).float().cuda(), "cuda")
        model = trained(name, DROPOUT).float().cuda()
        passes = replay(model)
        held_to(losses_and_gradients(model, "cuda"), expected, tolerance=1e-2)
    assert counts(passes) == [(2, len(ORDER), 0)]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")
def test_training_goes_on_where_a_pass_cannot_be_recorded(monkeypatch):
    """Dropout draws as ever."""
    expected = losses_and_gradients(trained("ba_nmt", DROPOUT).cuda(), "cuda")
    model = trained("ba_nmt", DROPOUT).cuda()
    monkeypatch.setattr(model.decoder, "teacher_forced", waiting(model.decoder))
    passes, stream = replay(model), torch.cuda.current_stream()
    with pytest.warns(UserWarning, match="CUDA graphs are switched off: recording one fails"):
        held_to(losses_and_gradients(model, "cuda"), expected, tolerance=1e-10)
    assert torch.cuda.current_stream() == stream
    assert counts(passes) == [(0, 0, len(ORDER))]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")
def test_the_first_decoder_goes_back_where_the_second_cannot_be_recorded(monkeypatch):
    expected = losses_and_gradients(trained("cohn_agreement", DROPOUT).cuda(), "cuda")
    model = trained("cohn_agreement", DROPOUT).cuda()
    monkeypatch.setattr(model.reverse.decoder, "teacher_forced", waiting(model.reverse.decoder))
    passes = replay(model)
    with pytest.warns(UserWarning, match="CUDA graphs are switched off: recording one fails"):
        held_to(losses_and_gradients(model, "cuda"), expected, tolerance=1e-10)
    assert counts(passes) == [(1, 1, len(ORDER) - 1), (0, 0, len(ORDER))]


@pytest.mark.gpu
@pytest.mark.training
@pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")
def test_three_epochs_with_graphs_are_three_without_but_for_rounding(monkeypatch, capfd):
    """Through the loop: on its own stream, dev translated in between, shapes that recur."""
    found = tiny.train("graphs", Path("scratch-recorded"), Path("models-recorded"))
    assert re.search(r"[1-9]\d* passes replayed from [1-9]\d* CUDA graphs, 0 not", capfd.readouterr().out)
    monkeypatch.setattr(loop, "replay", lambda model: [])
    plain = tiny.train("graphs", Path("scratch-launched"), Path("models-launched"))
    curve, expected = tiny.curve(found), tiny.curve(plain)
    assert list(curve["epoch"]) == [1, 2, 3]
    pd.testing.assert_frame_equal(curve.drop(columns="dev_bleu"), expected.drop(columns="dev_bleu"), atol=0.02)
    assert list(curve["dev_bleu"]) == pytest.approx(list(expected["dev_bleu"]), abs=1)
    weights, others = (
        torch.cat([x.flatten() for x in tiny.checkpoint(one)["model"].values()]) for one in (found, plain)
    )
    assert (weights - others).norm() < 0.01 * others.norm()  # Adam makes much of small differences, but of few weights
