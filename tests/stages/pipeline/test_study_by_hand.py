"""Who changes the line that chooses the study by hand, and runs plain DVC, trains nothing twice."""

import pytest
import yaml

from stages.pipeline import lock_text
from stages.pipeline.study import choose
from tests.stages.pipeline.toy import Toy

RUN = "corpus: text, direction: forward, segmentation: bpe, seeds: [1], released: {}, released_smt: []"
PARAMS = f"""studies:
  one: &one {{study: one, {RUN}, systems: [a]}}
  two: &two {{study: two, {RUN}, systems: [b]}}
<<: *one"""
STAGES = {
    "check": {
        "matrix": {"study": ["${study}"]},
        "cmd": "cp params.yaml ${item.study}.checked && echo check >> ran",
        "deps": ["params.yaml"],
        "outs": ["${item.study}.checked"],
    },
    "train": {
        "matrix": {"study": ["${study}"], "variant": "${systems}"},
        "cmd": "cat ${item.variant}.sh > ${item.variant}.model && echo train ${item.variant} >> ran",
        "deps": ["${item.variant}.sh"],
        "outs": ["${item.variant}.model"],
    },
}


@pytest.mark.dvc
def test_what_was_trained_comes_back_from_dvcs_cache_of_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    toy = Toy(tmp_path, STAGES)
    toy.write(**{"params.yaml": PARAMS})

    def repro() -> list[str]:
        assert toy.dvc("repro", "-q").wait() == 0
        return [line for line in toy.ran() if line != "check"]

    def locked() -> set[str]:
        return set(lock_text.entries(toy.text("dvc.lock")))

    assert repro() == ["train a"]
    toy.write(**{"params.yaml": PARAMS.replace("*one", "*two")})  # by hand
    assert repro() == ["train b"]
    assert locked() == {"check@one", "check@two", "train@one-a", "train@two-b"}
    choose("", "", print)  # as `make status` begins
    assert locked() == {"check@two", "train@two-b"}
    toy.write(**{"params.yaml": PARAMS})
    (tmp_path / "a.model").unlink()
    assert repro() == [] and (tmp_path / "a.model").exists()
    choose("two", "", print)
    assert locked() == {"check@two", "train@two-b"} and yaml.safe_load(toy.text("params.yaml"))["study"] == "two"
    choose("one", "", print)
    assert locked() == {"check@one", "train@one-a"}
