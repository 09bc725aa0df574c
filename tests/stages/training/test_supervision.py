"""What training reads beside the text: word alignments, and tables of candidates."""

import contextlib
import json
from pathlib import Path

import pytest
import torch

from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines
from stages.settings.schema import load
from stages.training.check import check_models
from stages.training.supervision import supervised_data
from stages.translating.load import load_system
from tests.helpers import tiny
from tests.helpers.started import build, started


def test_links_reach_the_training(tmp_path):
    for _ in range(2):  # as it were after a kill
        start = started("supervised_attention", tmp_path)
    assert "--load-alignments" in start.arguments and "--finetune-from-model" not in start.arguments
    with contextlib.chdir(tiny.study()):
        task, _ = build(start.arguments)
        for name in ("train", "valid"):
            task.load_dataset(name)
    for name in ("train", "valid"):
        lines = read_lines(tiny.study() / tiny.SUPERVISION / "supervised_attention" / f"{name}.align")
        assert len(task.datasets[name]) == len(lines) > 0
        for sentence, line in zip(task.datasets[name], lines, strict=True):
            found = [f"{j}-{i}" for j, i in sentence["alignment"].view(-1, 2).tolist()]
            assert found == line.split(" ")


@pytest.mark.training
@pytest.mark.parametrize(
    ("variant", "loss"), [("supervised_attention", "supervised_attention"), ("transformer_aligned", "guided_alignment")]
)
def test_a_system_with_links_logs_its_loss(variant, loss):
    for kind in ("train", "valid"):
        (row,) = tiny.log(tiny.trained(variant), kind)
        own = float(row[f"aux_{loss}"])
        assert own > 0 and float(row["loss"]) == pytest.approx(float(row["nll_loss"]) + own, abs=0.002)


def test_the_table_of_candidates_is_named_where_there_is_one(tmp_path):
    write_lines(tmp_path / "supervision" / "candidates.tsv", ["a\tb"])
    found = supervised_data(Path("bin"), tmp_path / "supervision", tmp_path / "data", ("zh", "en"))
    assert found == (Path("bin"), ["--candidate-table", str(tmp_path / "supervision" / "candidates.tsv")])
    assert not (tmp_path / "data").exists()


@pytest.mark.training
def test_candidates_and_links_reach_one_training():
    """Mi's own system: the softmax of a sentence is over its candidates, the objective reads its links."""
    folder, study = tiny.trained("mi_whole"), tiny.study()
    for kind in ("train", "valid"):
        (row,) = tiny.log(folder, kind)
        own = [float(value) for name, value in row.items() if name.startswith("aux_coverage_embedding_")]
        assert len(own) == 2 and min(own) > 0
        assert float(row["loss"]) == pytest.approx(float(row["nll_loss"]) + sum(own), abs=0.003)
    system = load_system(folder / "model.pt", study / tiny.DATA)
    sentence = tiny.pieces("dev", tiny.SOURCE)[0]
    source = torch.tensor([[*map(system.source_dictionary.index, sentence), system.source_dictionary.eos()]])
    allowed = system.model.decoder.candidates(source, source[:, :0])[0]
    words = system.target_dictionary
    frequent = range(words.nspecial + 1)  # candidate_frequent: 1
    assert "ba" in sentence and words.index("a") not in frequent  # the table translates it so
    assert allowed.nonzero().flatten().tolist() == sorted([*frequent, words.index("a")])


OBJECTIVE = {"arch": "attnmt", "terms": ["coverage_embedding_sub"]}


@pytest.mark.parametrize("fine_tuned", [False, True])
@pytest.mark.parametrize(
    ("model", "supervision", "wanted"),
    [
        ({"arch": "supervised_attention"}, None, "links"),
        ({"arch": "supervised_attention"}, "candidates", "links"),
        ({"arch": "covemb_gru_sub_supobj"}, None, "links"),
        ({"arch": "attnmt", "terms": ["markov_bias", "supervised_attention"]}, None, "links"),
        (OBJECTIVE | {"covemb_objective": "supervised"}, None, "links"),
        (OBJECTIVE | {"covemb_objective": "final"}, "links", None),
        ({"arch": "rnnsearch_star"}, "links", None),
        ({"arch": "bridging_direct"}, "links", None),
        ({"arch": "transformer"}, "links", None),
        ({"arch": "transformer_aligned"}, None, "links"),
        ({"arch": "ba_nmt"}, "candidates", None),
        ({"arch": "lvnmt"}, None, "candidates"),
        ({"arch": "lvnmt"}, "links", "candidates"),
        (OBJECTIVE | {"arch": "lvnmt", "covemb_objective": "final"}, "links_and_candidates", "candidates"),
        (OBJECTIVE | {"arch": "lvnmt", "covemb_objective": "supervised"}, "candidates", "links_and_candidates"),
        (OBJECTIVE | {"arch": "lvnmt", "covemb_objective": "supervised"}, "links", "links_and_candidates"),
    ],
)
def test_a_system_without_what_it_learns_from_is_refused_before_anything_trains(
    tmp_path, monkeypatch, model, supervision, wanted, fine_tuned
):
    monkeypatch.chdir(tmp_path)

    def write(given: str | None) -> None:
        mine = model | {"training": {"supervision": given}}
        base = {"arch": "rnnsearch_star"}
        chosen = {"systems": ["rnnsearch_star", *([] if fine_tuned else ["mine"])], "also_reverse": []}
        chosen |= {"fine_tuned": {"mine": "rnnsearch_star"} if fine_tuned else {}}
        content = tiny.params() | chosen | {"variants": {"rnnsearch_star": base, "mine": mine}}
        Path("params.yaml").write_text(json.dumps(content), encoding="utf-8")  # YAML too, and at once

    write(wanted)
    check_models(load())
    write(supervision)
    with pytest.raises(InputError) as error:
        check_models(load())
    assert str(error.value) == (
        f"params.yaml: variants.mine.training: supervision is {supervision or 'null'}, but its model learns from "
        f"{wanted or 'the text alone'}; set supervision: {wanted or 'null'}"
    )
