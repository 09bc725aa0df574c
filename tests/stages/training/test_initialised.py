"""Rows that start from the model of another row, learn from word alignments, leave out long pairs or anneal.

All of it goes through the train stage on the miniature study, up to where fairseq takes over or to the end.
"""

import contextlib
import re
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import torch
import yaml
from torch import Tensor

from fairseq_plugins import compat
from fairseq_plugins.criterions.auxiliary_nll import AuxiliaryNLL
from stages.files.errors import InputError
from stages.files.main import run
from stages.files.text import read_lines, write_lines
from stages.settings.languages import languages
from stages.settings.schema import check_models, load
from stages.settings.training import Decoding, Training
from stages.training.arguments import training_arguments
from stages.training.loop import Loop, _tokens_within
from stages.training.run import dev_bleu
from stages.training.supervision import supervised_data
from stages.training.transfer import extended
from stages.translating.decoding import translate
from stages.translating.load import load_system
from tests.helpers import tiny
from tests.helpers.support import close, forward, random_batch

from fairseq import options, tasks
from fairseq.dataclass.utils import convert_namespace_to_omegaconf
from fairseq.models import FairseqEncoderDecoderModel

BATCH = random_batch([5, 1, 7], [4, 6, 2], seed=1)
SETTINGS = tiny.params()["corpora"][tiny.CORPUS]


# Weights that are taken over


def seeded(fresh: dict[str, Tensor], trained: dict[str, Tensor], prefix: str = "", seed: int = 1) -> dict[str, Tensor]:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return extended(fresh, trained, prefix)


def test_a_weight_of_the_same_shape_is_taken_over():
    fresh = {"W": torch.ones(3, 2), "b": torch.ones(3)}
    trained = {"W": torch.rand(3, 2), "b": torch.rand(3)}
    assert all(torch.equal(value, trained[name]) for name, value in extended(fresh, trained).items())


def test_new_columns_stand_behind_the_trained_ones():
    trained = {"W": torch.rand(3, 2)}
    found = extended({"W": torch.ones(3, 6)}, trained)["W"]
    assert found.shape == (3, 6) and torch.equal(found[:, :2], trained["W"])
    assert (found[:, 2:] != 0).all() and found[:, 2:].abs().max() < 0.1


@pytest.mark.parametrize(("name", "first"), [("wider", 50), ("new", 0)])
def test_what_is_new_is_small_and_random(name, first):
    fresh, trained = {"wider": torch.ones(100, 250), "new": torch.ones(100, 200)}, {"wider": torch.ones(100, 50)}
    drawn = seeded(fresh, trained)[name][:, first:]
    assert drawn.shape == (100, 200)
    assert abs(drawn.mean()) < 0.0005  # seven standard errors
    assert 0.0095 < drawn.std() < 0.0105 and drawn.abs().max() < 0.06
    assert torch.equal(drawn, seeded(fresh, trained)[name][:, first:])
    assert not torch.equal(drawn, seeded(fresh, trained, seed=2)[name][:, first:])


def test_embeddings_of_padding_stay_zero():
    fresh = {"K": torch.ones(4, 3)}
    fresh["K"][1] = 0
    assert extended(fresh, {})["K"].eq(0).all(1).tolist() == [False, True, False, False]


def test_tables_of_integers_are_the_new_systems():
    found = extended({"keys": torch.tensor([7, 8]), "more": torch.tensor([1])}, {"keys": torch.tensor([1, 2, 3])})
    assert {name: value.tolist() for name, value in found.items()} == {"keys": [7, 8], "more": [1]}


def test_the_old_system_may_stand_within_the_new_one():
    fresh = {"W": torch.ones(2, 2), "reverse.W": torch.ones(2, 3), "reverse.b": torch.ones(2)}
    found = extended(fresh, {"W": torch.full((2, 2), 5.0)}, "reverse.")
    assert found.keys() == {"reverse.W", "reverse.b"}
    assert found["reverse.W"][:, :2].eq(5).all() and found["reverse.b"].abs().max() < 0.1


@pytest.mark.parametrize(
    ("trained", "message"),
    [
        ({"W": (3, 2), "V": (1, 1), "U": (2, 2)}, r"^the system to start from has what this one lacks: U, V$"),
        ({"W": (4, 2)}, r"^W is \(4, 2\) in the system to start from and \(3, 4\) here; only columns can be added: "),
        ({"W": (3, 5)}, r"^W is \(3, 5\).*give both the same sizes and vocabularies$"),
        ({"W": (3,)}, r"^W is \(3,\)"),
        ({"b": (2,)}, r"^b is \(2,\)"),
    ],
)
def test_a_weight_that_does_not_fit(trained, message):
    fresh = {"W": torch.ones(3, 4), "b": torch.ones(3)}
    with pytest.raises(ValueError, match=message):
        extended(fresh, {name: torch.ones(shape) for name, shape in trained.items()})


# The first weights of a row

BRIDGED = ["bridging_direct", "ba_bridging"]


class Started(NamedTuple):
    """A training that was stopped where fairseq takes over: its scratch folder, and the arguments for fairseq."""

    folder: Path
    arguments: list[str]

    def weights(self) -> dict[str, Tensor]:
        return compat.load_checkpoint(self.folder / "start.pt")["model"]


def started(row: str, scratch: Path, **inputs: Any) -> Started:
    found = []

    def stop(folder: Path, name: str, settings: Training, arguments: list[str], *_) -> None:
        found.append(Started(tiny.study() / folder, arguments))
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        tiny.starts(row)  # with the real thing
        patch.setattr("stages.training.run.train_in", stop)
        tiny.train(row, scratch, Path("never written"), **inputs)
    return found[0]


@cache
def start_of(row: str) -> Started:
    return started(row, Path("started") / row)


def build(arguments: list[str]) -> tuple[tasks.FairseqTask, FairseqEncoderDecoderModel]:
    """Task and model that arguments of fairseq describe."""
    with tiny.quiet():
        config = convert_namespace_to_omegaconf(options.parse_args_and_arch(options.get_training_parser(), arguments))
    task = tasks.setup_task(config.task)
    return task, task.build_model(config.model)


def model_of(start: Started, weights: dict[str, Tensor], *further: str) -> FairseqEncoderDecoderModel:
    with contextlib.chdir(tiny.study()):
        _, model = build([*start.arguments, *further])
    model.load_state_dict(weights)
    return model.double().eval()


def system(folder: Path, opposite: bool = False) -> FairseqEncoderDecoderModel:
    return load_system(folder / "model.pt", tiny.study() / tiny.data(opposite)).model.double()


def base_model(row: str) -> FairseqEncoderDecoderModel:
    return system(tiny.starts(row)["start"].parent)


def predictions(model: FairseqEncoderDecoderModel) -> tuple[Tensor, Tensor]:
    """Logits and weights of the words of ``BATCH``."""
    logits, weights = forward(model, BATCH)
    return logits[BATCH.real], weights[BATCH.real]


def without_new_columns(weights: dict[str, Tensor], trained: dict[str, Tensor]) -> dict[str, Tensor]:
    kept = {name: value.clone() for name, value in weights.items()}
    for name in trained:
        if trained[name].dim() == 2:
            kept[name][:, trained[name].shape[1] :] = 0
    return kept


@pytest.mark.parametrize("row", tiny.CONTINUED)
def test_a_row_begins_with_the_weights_of_its_base(row):
    weights = start_of(row).weights()
    for name, value in base_model(row).float().state_dict().items():
        assert torch.equal(weights[name][..., : value.shape[-1]], value), name


@pytest.mark.parametrize("row", BRIDGED)
def test_new_columns_and_weights_of_a_row_are_small_and_random(row):
    trained = base_model(row).state_dict()
    new = [
        value[..., trained[name].shape[-1] if name in trained else 0 :].flatten()
        for name, value in start_of(row).weights().items()
    ]
    drawn = torch.cat(new)
    assert len(drawn) > 1000 and abs(drawn.mean()) < 0.002 and 0.008 < drawn.std() < 0.012


@pytest.mark.parametrize("row", tiny.CONTINUED)
def test_with_new_columns_at_zero_a_row_begins_as_its_base_predicts(row):
    """Spec 3.3; a system that adds but a loss begins so without further ado."""
    start, base = start_of(row), base_model(row)
    weights = start.weights()
    model = model_of(start, without_new_columns(weights, base.state_dict()))
    for found, expected in zip(predictions(model), predictions(base), strict=True):
        close(found, expected, 1e-12)
    as_it_is = (predictions(model_of(start, weights))[0] - predictions(base)[0]).abs().max()
    assert as_it_is > 1e-6 if row in BRIDGED else as_it_is < 1e-12


@pytest.mark.parametrize("row", BRIDGED)
def test_without_coefficient_the_likelihood_is_all_of_the_loss(row):
    start, losses = start_of(row), []
    for coefficient in ("0", "1"):
        model = model_of(start, start.weights(), "--bridge-lambda", coefficient)
        with torch.no_grad():
            losses.append(float(model.auxiliary_losses(model(*BATCH[:3]), BATCH.target)["direct_bridging"]))
    assert losses[0] == 0 < losses[1]


def test_global_fertility_adds_weights_and_changes_none():
    weights, trained = start_of("cohn_globalfert").weights(), tiny.checkpoint(tiny.trained("cohn_all"))["model"]
    assert all(torch.equal(weights[name], value) for name, value in trained.items())
    assert {name.split(".")[3] for name in weights.keys() - trained.keys()} == {"global_fertility"}


def test_agreement_begins_with_the_models_of_both_directions():
    start = start_of("cohn_agreement")
    weights, opposite = start.weights(), tiny.trained("cohn_all", opposite=True)
    trained = tiny.checkpoint(opposite)["model"]
    reverse = {name.removeprefix("reverse."): value for name, value in weights.items() if name.startswith("reverse.")}
    assert reverse.keys() == trained.keys() and all(torch.equal(reverse[name], trained[name]) for name in trained)
    model, other = model_of(start, weights), system(opposite, opposite=True)
    for found, expected in zip(forward(model.reverse, BATCH), forward(other, BATCH), strict=True):
        close(found, expected, 0)
    assert model.encoder.embed_tokens.weight.shape == other.decoder.embed_tokens.weight.shape


def test_the_same_start_twice_is_the_same(tmp_path):
    """New weights too: a run that was killed begins as it did."""
    again = started("bridging_direct", tmp_path).weights()
    assert all(torch.equal(value, again[name]) for name, value in start_of("bridging_direct").weights().items())


def test_another_base_starts_afresh(tmp_path, short):
    folder = started("bridging_direct", tmp_path).folder
    assert started("bridging_direct", tmp_path).folder == folder
    other = started("bridging_direct", tmp_path, start=short.folder / "model.pt").folder
    assert list(tmp_path.iterdir()) == [other] != [folder]


def test_another_model_of_the_other_direction_starts_afresh(tmp_path):
    """Also one that turns out not to fit."""
    folder = started("cohn_agreement", tmp_path).folder
    ahead = tiny.trained("cohn_all") / "model.pt"
    with pytest.raises(InputError, match="same sizes and vocabularies"):
        tiny.train("cohn_agreement", tmp_path, tmp_path / "out", reverse_start=ahead)
    assert folder not in tmp_path.iterdir()


# Models that cannot be started from


def refusal(capsys, row: str, scratch: Path, **inputs: Any) -> str:
    """What the stage says instead of training: one sentence, and status 1."""
    with pytest.raises(SystemExit) as end:
        run(lambda: tiny.train(row, scratch, Path("never written"), **inputs))
    error = capsys.readouterr().err
    assert end.value.code == 1 and error.startswith("error: ") and error.count("\n") == 1
    assert not (tiny.study() / "never written").exists()
    return error


@pytest.mark.parametrize("option", ["start", "reverse_start"])
@pytest.mark.parametrize("damage", ["missing", "text", "truncated", "empty", "not a checkpoint"])
def test_a_damaged_model(tmp_path, capsys, option, damage):
    whole, path = tiny.trained("cohn_all") / "model.pt", tmp_path / "base.pt"
    if damage == "not a checkpoint":
        torch.save([1, 2], path)
    elif damage != "missing":
        content = whole.read_bytes()
        path.write_bytes({"text": b"weights\n", "truncated": content[: len(content) // 2], "empty": b""}[damage])
    assert "base.pt" in refusal(capsys, "cohn_agreement", tmp_path / "scratch", **{option: path})


@pytest.mark.parametrize(
    ("row", "option", "base", "opposite", "message"),
    [
        ("cohn_globalfert", "start", "cohn_all", True, r"embed_tokens.weight is .* the same sizes and vocabularies"),
        ("cohn_agreement", "reverse_start", "cohn_all", False, r"embed_tokens.weight is .* the same sizes and vocab"),
        ("bridging_direct", "start", "ba_nmt", False, r"has what this one lacks: decoder\.attention\.terms\.source_h"),
        (
            "cohn_globalfert",
            "reverse_start",
            "cohn_all",
            True,
            "cohn_globalfert trains one direction and .* two models",
        ),
    ],
)
def test_a_model_that_does_not_fit(tmp_path, capsys, row, option, base, opposite, message):
    path = tiny.trained(base, opposite=True) if opposite else tiny.trained(base)
    assert re.search(message, refusal(capsys, row, tmp_path, **{option: path / "model.pt"}))


def test_both_directions_need_both_models(tmp_path, capsys):
    message = refusal(capsys, "cohn_agreement", tmp_path, reverse_start=False)
    assert "cohn_agreement trains both directions and is to start from one model" in message


# Training on


def test_a_row_that_continues_starts_where_its_base_ended():
    base, folder = tiny.trained("rnnsearch_star"), tiny.trained("unmoved")
    (first,), expected = tiny.log(folder, "valid"), tiny.log(base, "valid")[tiny.record(base)["best_epoch"] - 1]
    assert first["ppl"] == expected["ppl"] and first["nll_loss"] == expected["nll_loss"]
    start, moved = start_of("unmoved").weights(), tiny.checkpoint(folder)["model"]
    differences = torch.cat([(moved[name] - start[name]).abs().flatten() for name in start])
    assert 0 < differences.max() < 1e-6  # a rate of 1e-9


def test_a_row_that_continues_counts_from_one():
    """Epochs, updates and the annealing that follows them are its own."""
    curve = tiny.curve(tiny.trained("bridging_direct"))
    one = tiny.curve(tiny.trained("rnnsearch_star"))["updates"].iloc[0]
    assert list(curve["epoch"]) == [1, 2] and list(curve["updates"]) == [one, 2 * one]
    rates = [float(row["lr"]) for row in tiny.log(tiny.trained("bridging_direct"), "train")]
    assert rates == pytest.approx([tiny.RATE, tiny.RATE * SETTINGS["training"]["lr_shrink"]])


def test_a_killed_row_that_continues_ends_as_an_undisturbed_one(tmp_path):
    expected = tiny.trained("bridging_direct")
    updates = tiny.curve(expected)["updates"].iloc[0]
    tiny.train_until_killed("bridging_direct", tmp_path / "scratch", "Loop._save", updates + 4)  # of the second epoch
    assert len(list((tmp_path / "scratch").glob("*/checkpoint_last.pt"))) == 1
    resumed = tiny.train("bridging_direct", tmp_path / "scratch", tmp_path / "out")
    models = [tiny.checkpoint(folder)["model"] for folder in (resumed, expected)]
    assert models[0].keys() == models[1].keys()
    assert all(torch.equal(models[0][name], models[1][name]) for name in models[0])
    pd.testing.assert_frame_equal(tiny.curve(resumed), tiny.curve(expected), check_exact=True)
    speeds = pd.read_csv(resumed / "curve.csv")["tokens_per_second"]
    assert list(speeds.isna()) == [False, True]  # the first was not repeated, the second not begun anew


@pytest.mark.parametrize("row", tiny.CONTINUED)
def test_every_kind_of_row_continues(row):
    folder = tiny.trained(row)
    assert tiny.record(folder)["epochs"] == tiny.CONTINUED[row]["training"]["max_epoch"]
    losses = {name for name in tiny.log(folder, "train")[-1] if name.startswith("aux_")}
    assert (
        losses
        == {
            "unmoved": set(),
            "bridging_direct": {"aux_direct_bridging"},
            "ba_bridging": {"aux_direct_bridging"},
            "cohn_globalfert": {"aux_global_fertility"},
            "cohn_agreement": {"aux_reverse", "aux_agreement"},
        }[row]
    )


# Both directions


def test_the_opposite_direction_has_the_same_data_turned():
    folders = [tiny.study() / tiny.data(opposite) for opposite in (False, True)]
    ways = [f"{tiny.SOURCE}-{tiny.TARGET}", f"{tiny.TARGET}-{tiny.SOURCE}"]
    for language in (tiny.SOURCE, tiny.TARGET):
        for name in (f"dict.{language}.txt", "train.{}." + f"{language}.bin", "valid.{}." + f"{language}.bin"):
            one, other = ((folder / name.format(way)) for folder, way in zip(folders, ways, strict=True))
            assert one.read_bytes() == other.read_bytes()


def test_the_opposite_direction_trains():
    ahead, folder = tiny.trained("cohn_all"), tiny.trained("cohn_all", opposite=True)
    task = tiny.checkpoint(folder)["cfg"]["task"]
    assert (task["source_lang"], task["target_lang"]) == (tiny.TARGET, tiny.SOURCE)
    sides = [("encoder", "decoder"), ("decoder", "encoder")]
    weights, forward_weights = (tiny.checkpoint(one)["model"] for one in (folder, ahead))
    for side, other in sides:
        shapes = [weights[f"{side}.embed_tokens.weight"].shape, forward_weights[f"{other}.embed_tokens.weight"].shape]
        assert shapes[0] == shapes[1]
    assert weights["encoder.embed_tokens.weight"].shape != weights["decoder.embed_tokens.weight"].shape


def test_dev_bleu_of_the_opposite_direction_is_of_its_own_target():
    folder, study = tiny.trained("cohn_all", opposite=True), tiny.study()
    model = load_system(folder / "model.pt", study / tiny.data(opposite=True)).model
    settings = Training(**SETTINGS["training"])
    measure = dev_bleu(settings, study / tiny.TEXT, study / tiny.BPE, (tiny.TARGET, tiny.SOURCE))
    assert tiny.record(folder)["best_dev_bleu"] > 0
    assert measure(model) == pytest.approx(tiny.record(folder)["best_dev_bleu"])


def test_the_opposite_of_the_reverse_is_the_forward_direction(monkeypatch):
    monkeypatch.chdir(tiny.study())
    pair = (tiny.SOURCE, tiny.TARGET)
    assert languages(tiny.CORPUS, "reverse", opposite=True) == languages(tiny.CORPUS, "forward") == pair
    assert languages(tiny.CORPUS, "forward", opposite=True) == languages(tiny.CORPUS, "reverse") == pair[::-1]


def test_what_is_learnt_from_one_direction_is_not_given_to_the_other(tmp_path, capsys):
    message = refusal(capsys, "supervised_attention", tmp_path, opposite=True)
    assert "supervised_attention learns from links" in message


def test_agreement_logs_what_its_loss_is_made_of():
    for kind in ("train", "valid"):
        (row,) = tiny.log(tiny.trained("cohn_agreement"), kind)
        parts = [float(row[name]) for name in ("nll_loss", "aux_reverse", "aux_agreement")]
        assert float(row["loss"]) == pytest.approx(sum(parts), abs=0.003)  # three decimals each
        assert parts[1] > 0 > parts[2]


def test_agreement_decodes_by_itself():
    found = load_system(tiny.trained("cohn_agreement") / "model.pt", tiny.study() / tiny.DATA)
    sentences, decoding = tiny.pieces("dev", tiny.SOURCE), Decoding(**SETTINGS["decoding"])
    before = translate(found, sentences, decoding, progress=None)
    for parameter in found.model.reverse.parameters():
        parameter.data.fill_(float("nan"))
    after = translate(found, sentences, decoding, progress=None)
    assert [(one.target, one.score) for one in before] == [(one.target, one.score) for one in after]


# Word alignments


def test_links_reach_the_training(tmp_path):
    for _ in range(2):  # as it were after a kill
        start = started("supervised_attention", tmp_path)
    assert "--load-alignments" in start.arguments and "--finetune-from-model" not in start.arguments
    with contextlib.chdir(tiny.study()):
        task, _ = build(start.arguments)
        for name in ("train", "valid"):
            task.load_dataset(name)
    for name in ("train", "valid"):
        lines = read_lines(tiny.study() / tiny.NEEDS / "supervised_attention" / "train" / f"{name}.align")
        assert len(task.datasets[name]) == len(lines) > 0
        for sentence, line in zip(task.datasets[name], lines, strict=True):
            found = [f"{j}-{i}" for j, i in sentence["alignment"].view(-1, 2).tolist()]
            assert found == line.split(" ")


def test_a_row_with_links_logs_its_loss():
    for kind in ("train", "valid"):
        (row,) = tiny.log(tiny.trained("supervised_attention"), kind)
        own = float(row["aux_supervised_attention"])
        assert own > 0 and float(row["loss"]) == pytest.approx(float(row["nll_loss"]) + own, abs=0.002)


def test_the_table_of_candidates_is_named_where_there_is_one(tmp_path):
    write_lines(tmp_path / "needs" / "candidates.tsv", ["a\tb"])
    found = supervised_data(Path("bin"), tmp_path / "needs", tmp_path / "data", ("zh", "en"))
    assert found == (Path("bin"), ["--candidate-table", str(tmp_path / "needs" / "candidates.tsv")])
    assert not (tmp_path / "data").exists()


OBJECTIVE = {"arch": "attnmt", "terms": ["coverage_embedding_sub"]}


@pytest.mark.parametrize(
    ("part", "model", "supervision", "wanted"),
    [
        ("variants", {"arch": "supervised_attention"}, None, "links"),
        ("variants", {"arch": "supervised_attention"}, "candidates", "links"),
        ("continued", {"arch": "supervised_attention"}, None, "links"),
        ("variants", {"arch": "covemb_gru_sub_supobj"}, None, "links"),
        ("continued", {"arch": "attnmt", "terms": ["markov_bias", "supervised_attention"]}, None, "links"),
        ("variants", OBJECTIVE | {"covemb_objective": "supervised"}, None, "links"),
        ("variants", OBJECTIVE | {"covemb_objective": "final"}, "links", None),
        ("variants", {"arch": "rnnsearch_star"}, "links", None),
        ("continued", {"arch": "bridging_direct"}, "links", None),
        ("variants", {"arch": "transformer"}, "links", None),
        ("variants", {"arch": "ba_nmt"}, "candidates", None),
        ("variants", {"arch": "lvnmt"}, None, "candidates"),
        ("variants", {"arch": "lvnmt"}, "links", "candidates"),
    ],
)
def test_a_row_without_what_it_learns_from_is_refused_before_anything_trains(
    tmp_path, monkeypatch, part, model, supervision, wanted
):
    monkeypatch.chdir(tmp_path)
    Path("dvc.yaml").write_text("stages: {continue_rnnsearch_star: {}}\n", encoding="utf-8")

    def write(given: str | None) -> None:
        base = {"rnnsearch_star": block({"arch": "rnnsearch_star"})}
        rows = {"variants": base, "continued": {}, "starts": {}, "opposite": []}
        rows[part]["mine"] = block(model) | {"training": {"supervision": given}}
        rows["starts"] = {"rnnsearch_star": [*rows["continued"]]}
        Path("params.yaml").write_text(yaml.safe_dump(tiny.params() | rows), encoding="utf-8")

    write(wanted)
    check_models(load())
    write(supervision)
    with pytest.raises(InputError) as error:
        check_models(load())
    assert str(error.value) == (
        f"params.yaml: mine.training: supervision is {supervision or 'null'}, but its model learns from "
        f"{wanted or 'the text alone'}; set supervision: {wanted or 'null'}"
    )


def block(model: dict[str, Any]) -> dict[str, Any]:
    """A row of params.yaml."""
    return {"title": "", "model": model, "training": {}}


# Long pairs and annealing


class Short(NamedTuple):
    """A training that leaves out long pairs: its outputs, and what the criterion and the loop saw.

    seen: rows of (whether in training, sentences, target tokens), one a batch. tokens: the loop's count, one an epoch.
    """

    folder: Path
    seen: list[tuple[bool, list[int], int]]
    tokens: list[int]


@pytest.fixture(scope="module")
def short(tmp_path_factory) -> Iterator[Short]:
    folder = tmp_path_factory.mktemp("short")
    made = Short(folder / "out", [], [])
    criterion, close_epoch = AuxiliaryNLL.forward, Loop._close_epoch

    def forward_seen(self, model, sample, reduce=True):
        made.seen.append((model.training, sample["id"].tolist(), sample["ntokens"]))
        return criterion(self, model, sample, reduce)

    def close_epoch_seen(self, trainer, epoch_itr, dev_ppl, tokens):
        made.tokens.append(tokens)
        close_epoch(self, trainer, epoch_itr, dev_ppl, tokens)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AuxiliaryNLL, "forward", forward_seen)
        patch.setattr(Loop, "_close_epoch", close_epoch_seen)
        tiny.train("short_and_annealed", folder / "scratch", made.folder)
    return made


def within(part: str) -> list[int]:
    limit = tiny.VARIANTS["short_and_annealed"]["training"]["max_length"]
    sides = zip(tiny.pieces(part, tiny.SOURCE), tiny.pieces(part, tiny.TARGET), strict=True)
    return [k for k, pair in enumerate(sides) if max(map(len, pair)) <= limit]


@pytest.mark.parametrize(("part", "training"), [("train", True), ("dev", False)])
def test_long_pairs_are_left_out(short, part, training):
    expected = within(part)
    assert 0 < len(expected) < len(tiny.pieces(part, tiny.SOURCE))
    times = Counter(k for in_training, rows, _ in short.seen if in_training == training for k in rows)
    assert times == dict.fromkeys(expected, tiny.EPOCHS)


def test_speed_counts_the_tokens_of_the_pairs_that_are_trained_on(short):
    targets = tiny.pieces("train", tiny.TARGET)
    expected = sum(len(targets[k]) + 1 for k in within("train"))
    assert short.tokens == [expected] * tiny.EPOCHS
    assert sum(tokens for in_training, _, tokens in short.seen if in_training) == expected * tiny.EPOCHS


@pytest.mark.parametrize(("limit", "expected"), [(None, 13), (6, 13), (5, 11), (4, 7), (3, 2), (2, 2), (1, 0)])
def test_tokens_within_a_length_by_hand(limit, expected):
    """Lengths count eos, the limit does not."""
    sides = np.array([[3, 2], [5, 5], [6, 4], [7, 2]]).T
    assert _tokens_within(Namespace(src_sizes=sides[0], tgt_sizes=sides[1]), limit) == expected


def test_the_rate_shrinks_from_the_annealing_epoch_on(short):
    rates = [float(row["lr"]) for row in tiny.log(short.folder, "train")]
    assert rates == pytest.approx([tiny.RATE, tiny.RATE / 10, tiny.RATE / 100])


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ({"max_length": 30}, {"max_source_positions": 31, "max_target_positions": 31}),
        ({"max_length": None}, {"max_source_positions": None, "max_target_positions": None}),
        (
            {"anneal_epoch": 3, "lr_shrink": 0.5, "warmup_updates": 7},
            {"lr_scheduler": "fixed", "force_anneal": 3, "lr_shrink": 0.5, "warmup_updates": 7},
        ),
        ({"anneal_epoch": None}, {"lr_scheduler": "fixed", "force_anneal": None}),
        ({"lr_scheduler": "inverse_sqrt", "warmup_updates": 7}, {"lr_scheduler": "inverse_sqrt", "warmup_updates": 7}),
    ],
)
def test_settings_reach_fairseq(override, expected):
    settings = Training(**{**SETTINGS["training"], **override})
    arguments = training_arguments(settings, 1, Path("bin"), Path("scratch"), ("zh", "en"))
    model = ["--arch", "transformer", "--criterion", "label_smoothed_cross_entropy"]
    found = options.parse_args_and_arch(options.get_training_parser(), [*arguments, *model])
    assert {name: getattr(found, name, None) for name in expected} == expected
    assert found.skip_invalid_size_inputs_valid_test == (settings.max_length is not None)
