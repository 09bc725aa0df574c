"""`make export`: plain text of every system, seed and test set, which measures taken elsewhere read."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from stages.files.errors import InputError
from stages.pipeline.export import Exported, export, main, runs_of
from stages.settings.systems import study_systems
from tests.helpers.paths import files
from tests.helpers.report_study import SOURCE, TARGET, write
from tests.stages.releasing.conftest import RUN, project, settings
from tests.stages.reporting.conftest import study

__all__ = ["project", "study"]  # fixtures
OUT = Path("out")


@pytest.fixture(autouse=True)
def lexicon(project: Path):
    write(Path("work/demo/wordalign/lexicon.source-target.tsv"), "。x\tthere\t0.9\t7\n")


def text(path: str) -> str:
    return (OUT / "small/zh-en" / path).read_text(encoding="utf-8")


def exported() -> Exported:
    study = study_systems()
    return export(study, OUT, list(runs_of(study)))


def lines(given: list[str]) -> str:
    return "".join(f"{line}\n" for line in given)


def test_a_file_for_each_system_and_seed_beside_source_and_reference():
    folder, lacking, unknown = exported()
    assert (folder, lacking, unknown) == (OUT / "small", [], [])
    names = {"source.zh", "reference.en", "plain-1.en", "plain-2.en", "star-1.en", "star-2.en"}
    assert files(folder) == {f"zh-en/{test}/{name}" for test in ("test", "test2") for name in names}
    assert text("test/source.zh") == lines(SOURCE) and text("test2/reference.en") == lines(TARGET)
    assert text("test/star-2.en") == lines(TARGET)


def test_what_stands_there_is_what_bleu_reads():
    path = RUN / "translations/star-1/test.jsonl"
    one, two = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    one["target"][:2] = ["<unk>", "Arriv@@"]  # whose weight is largest on the last word, and a piece of a word
    path.write_text("".join(f"{json.dumps(it, ensure_ascii=False)}\n" for it in (one, two)), encoding="utf-8")
    exported()
    assert text("test/star-1.en").splitlines()[0] == "there Arrivin Beijing yesterday ."
    content = yaml.safe_load(Path("params.yaml").read_text(encoding="utf-8"))
    content["corpora"]["demo"]["score"] |= {"detokenise": True, "bleu_tokenize": "13a"}
    write(Path("params.yaml"), yaml.safe_dump(content, sort_keys=False))
    exported()
    assert text("test/star-1.en").splitlines()[0] == "there Arrivin Beijing yesterday."
    assert text("test/source.zh").splitlines()[0] == SOURCE[0].replace(" ", "")
    assert text("test/reference.en") == lines(TARGET)  # as the corpus has it


def test_of_released_results_without_attention_unknown_words_are_replaced_if_they_say_how(monkeypatch, capsys):
    unknown = ["<unk>", "arrived", "</s>"]
    for name, said in (("star-1", {"attended": [5]}), ("star-2", {})):
        path = RUN / f"translations/{name}/test.jsonl"
        lines = [json.loads(line) | {"attention": None, "positional": None} for line in path.read_text().splitlines()]
        lines[0] |= {"target": unknown} | said
        write(path, "".join(f"{json.dumps(it, ensure_ascii=False)}\n" for it in lines))
    monkeypatch.setattr("stages.pipeline.export.EXPORT", OUT)
    monkeypatch.setattr("stages.pipeline.export.look_at", lambda *_: None)
    monkeypatch.setattr("stages.pipeline.export._up_to_date", lambda study: list(runs_of(study)))
    monkeypatch.setattr("sys.argv", ["export"])
    main()
    assert text("test/star-1.en").splitlines()[0] == "there arrived"
    assert text("test/star-2.en").splitlines()[0] == "<unk> arrived"
    said, _ = capsys.readouterr().out.splitlines()
    assert said == "star-2: unknown words are kept, for without attention nothing says what they stand for"


def test_what_is_not_of_todays_settings_is_left_out(monkeypatch, capsys):
    monkeypatch.setattr("stages.pipeline.export.EXPORT", OUT)
    monkeypatch.setattr("stages.pipeline.export.look_at", lambda *_: None)
    monkeypatch.setattr("stages.pipeline.export.Pipeline", lambda: None)
    stale = {("star", 2): "star-2: not up to date"}
    monkeypatch.setattr("stages.pipeline.export.stale_results", lambda _, one: stale.get(one, ""))
    monkeypatch.setattr("sys.argv", ["export"])
    main()
    assert "star-1.en" in "".join(files(OUT)) and "star-2.en" not in "".join(files(OUT))
    assert capsys.readouterr().out.splitlines()[0] == "left out: star-2: not up to date"


def test_several_references_are_numbered():
    shutil.copy("work/demo/corpus/test.ref0.en", "work/demo/corpus/test.ref1.en")
    exported()
    assert text("test/reference.0.en") == text("test/reference.1.en") == text("test2/reference.en")


def test_of_released_results_the_first_seed_is_there():
    settings(systems=[], fine_tuned={}, released={"plain": None, "star": "plain"})
    for name in ("plain-2", "star-2"):
        shutil.rmtree(RUN / "translations" / name)
    assert exported().lacking == [("plain", 2), ("star", 2)]
    assert text("test/plain-1.en") == lines(TARGET)


def test_without_any_translation_the_last_export_stays():
    exported()
    shutil.rmtree(RUN / "translations")
    with pytest.raises(InputError, match=r"translations has none of study small; run `make repro` first"):
        exported()
    assert text("test/star-1.en")
