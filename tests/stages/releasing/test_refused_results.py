"""Which released results are refused: those of other settings, text or systems, and damaged ones."""

import json
import re
import shutil
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.pipeline import release
from stages.releasing import results_file
from stages.releasing.about import require_same_settings
from stages.releasing.results_file import read_results, write_results
from stages.reporting import preconditions
from stages.settings.systems import study_systems
from tests.helpers.report_study import write
from tests.stages.releasing.conftest import RUN
from tests.stages.releasing.released_results import edit, elsewhere, path_of, take


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("corpora/demo/training/lr", 0.5, r"other settings \(corpora\.demo\.training\.lr: 0\.008 there, 0\.5 here\)"),
        ("corpora/demo/model/hidden_dim", 5, r"corpora\.demo\.model\.hidden_dim: 112 there, 5 here"),
        ("corpora/demo/fine_tuning", {"max_epoch": 9}, r"corpora\.demo\.fine_tuning\.max_epoch: 2 there, 9 here"),
        ("variants/star/arch", "sa_nmt", r"variants\.star\.arch: rnnsearch_star there, sa_nmt here"),
        ("variants/star/training", {"lr": 1}, r"variants\.star\.training\.lr: None there, 1 here"),
        ("variants/star/by_corpus", {"demo": {"training": {"lr": 1}}}, r"star\.training\.lr: None there, 1 here"),
        ("variants/star/by_corpus", {"demo": {"gru_reset_before": True}}, r"gru_reset_before: None there, True"),
        ("variants/plain/training", {"lr": 1}, r"variants\.plain\.training\.lr: None there, 1 here"),  # its base
        ("released/star", None, r"released: star was initialised from plain; write that there"),
    ],
)
def test_results_of_other_settings_are_refused(project: Path, key: str, value, message: str) -> None:
    release.main()
    elsewhere()
    edit(key, value)
    with pytest.raises(InputError, match=message):
        preconditions._check_released(study_systems())  # before anything is trained
    with pytest.raises(InputError, match=message):
        take("star", 1)
    assert not (RUN / "scores").exists() and not (RUN / "models").exists()


@pytest.mark.parametrize(
    ("key", "value"),
    [("training/threads", 2), ("training/save_seconds", 5), ("training/cuda_graphs", True),
     ("training/length_multiple", 8)],
)  # fmt: skip
def test_settings_of_a_machine_make_no_other_results(project: Path, key: str, value: int) -> None:
    release.main()
    elsewhere()
    edit(f"corpora/demo/{key}", value)
    take("star", 1)


def test_results_that_name_settings_of_a_machine_are_taken(project: Path) -> None:
    """As those did that were released before `cuda_graphs` was one of them."""
    there, now = ({"variant": "a", "seed": 1, "initialised_from": None, "settings": {"x": of}} for of in
                  ({"lr": 1, "cuda_graphs": False, "threads": 1}, {"lr": 1}))  # fmt: skip
    require_same_settings(project, there, now)
    with pytest.raises(InputError, match=r"x\.lr: 1 there, 2 here"):
        require_same_settings(project, there, now | {"settings": {"x": {"lr": 2}}})


def test_results_that_do_not_say_how_their_base_was_trained_are_taken(project: Path) -> None:
    """As those that were released before 2026-12."""
    now = {"variant": "b", "seed": 1, "initialised_from": "a", "settings": {"variants.b": {}, "variants.a": {"x": 1}}}
    require_same_settings(project, now | {"settings": {"variants.b": {}}}, now)
    with pytest.raises(InputError, match=r"variants\.a\.x: 2 there, 1 here"):
        require_same_settings(project, now | {"settings": {"variants.b": {}, "variants.a": {"x": 2}}}, now)
    with pytest.raises(InputError, match=r"variants\.b\.x: None there, 1 here"):
        require_same_settings(project, now, now | {"settings": {"variants.b": {"x": 1}, "variants.a": {"x": 1}}})


@pytest.mark.parametrize("own", [{"training": {"lr": 1}}, {"gru_reset_before": True}])
def test_what_a_system_has_on_another_corpus_makes_no_other_results(project: Path, own: dict) -> None:
    release.main()
    elsewhere()
    edit("variants/star/by_corpus", {"other": own})
    take("star", 1)


@pytest.mark.parametrize(
    ("file", "what"),
    [
        ("work/demo/corpus/train.zh", "text of the corpus"),
        ("work/demo/corpus/test2.ref0.en", "text of the corpus"),
        ("work/demo/forward-bpe/bpe/gold.en", "pieces of the text"),
    ],
)
def test_results_of_another_text_are_refused(project: Path, file: str, what: str) -> None:
    release.main()
    elsewhere()
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    write(Path(file), "\n".join(reversed(lines)) + "\n")
    with pytest.raises(InputError, match=f"results are of another {what} than this machine has; train the system here"):
        take("plain", 1)


def test_other_code_is_said(project: Path) -> None:
    release.main()
    elsewhere()
    write(Path("work/manifest/score"), "another\n")
    take("star", 1)
    assert json.loads((RUN / "models/star/1/released.json").read_text()) == {
        "commit": "0123456789abcdef",
        "same_code": False,
    }


def test_other_versions_of_packages_are_the_same_code(project: Path) -> None:
    """The lists of the results in git had none."""
    release.main()
    elsewhere()
    write(Path("work/manifest/score"), "score\nsacrebleu==9.9\n")
    take("star", 1)
    assert json.loads((RUN / "models/star/1/released.json").read_text())["same_code"]


def test_results_of_another_system_in_its_place_are_refused(project: Path) -> None:
    release.main()
    elsewhere()
    shutil.copy(path_of("plain", 1), path_of("star", 1))
    with pytest.raises(InputError, match=r"star-1\.tar\.xz: holds variant plain, not star"):
        take("star", 1)
    shutil.copy(path_of("star", 2), path_of("star", 1))
    with pytest.raises(InputError, match=r"star-1\.tar\.xz: holds seed 2, not 1"):
        take("star", 1)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_damaged_file_is_one_clear_error(project: Path, share: float) -> None:
    release.main()
    elsewhere()
    path = path_of("star", 1)
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(InputError, match=re.escape(str(path))):
        take("star", 1)
    assert not (RUN / "scores").exists()


@pytest.mark.parametrize("name", ["../outside", "/etc/x", "translations/../x", ".hidden", "a/b"])
def test_a_file_with_other_names_is_refused(project: Path, name: str) -> None:
    release.main()
    elsewhere()
    path = path_of("star", 1)
    about, files = read_results(path)
    write_results(path, about, files | {name: b"x"})
    with pytest.raises(InputError, match="which is no file of results, or a huge one"):
        take("star", 1)


@pytest.mark.parametrize("name", ["training.json", "curve.csv", "scores.json"])
def test_a_file_that_lacks_something_is_refused(project: Path, name: str) -> None:
    release.main()
    elsewhere()
    path = path_of("star", 1)
    about, files = read_results(path)
    write_results(path, about, {other: data for other, data in files.items() if other != name})
    with pytest.raises(InputError, match=rf"star-1\.tar\.xz lacks {name}; restore it with git"):
        take("star", 1)


@pytest.mark.parametrize("lines", ["{", "[]", "1", '{"target": 1}\n', "\xff", ""])
def test_translations_that_are_none_are_refused(project: Path, lines: str) -> None:
    release.main()
    elsewhere()
    path = path_of("star", 1)
    about, files = read_results(path)
    write_results(path, about, files | {"translations/test.jsonl": lines.encode()})
    with pytest.raises(InputError, match=r"test\.jsonl"):
        take("star", 1)
    assert not (RUN / "scores").exists()


def test_files_without_end_are_refused_before_they_are_read(project: Path, monkeypatch) -> None:
    release.main()
    elsewhere()
    monkeypatch.setattr(results_file, "KIND", results_file.KIND._replace(largest=2000))
    with pytest.raises(InputError, match="or a huge one"):
        take("star", 1)
