"""Statistical word alignment: both directions into one, lexical tables, links between pieces, and the whole stage."""

import json
import os
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

from stages import wordalign
from stages.alignment import eflomal, lexicon, pharaoh
from stages.alignment.piece_links import piece_links, read_piece_links
from stages.alignment.symmetrise import grow_diag_final_and
from stages.corpora.download import Sources
from stages.corpus import make
from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines
from stages.scoring import aligner_scores
from stages.settings.alignment import AlignmentSettings
from stages.settings.corpora import DemoSettings
from stages.settings.params import validate

SETTINGS = AlignmentSettings(model=3, iterations=(2, 2, 4), samplers=2, null_prior=0.2, seed=1)
DEMO = DemoSettings(
    kind="demo", source="zh", target="en", limit=None, max_length=50, lowercase=False,
    train=300, dev=20, test=10, gold=40, seed=17,
)  # fmt: skip


# Symmetrisation


@pytest.mark.parametrize(
    ("forward", "reverse", "both"),
    [
        ("", "", ""),
        ("0-0 1-1", "0-0 1-1", "0-0 1-1"),
        ("0-0 1-1", "", "0-0 1-1"),  # final: nothing is agreed on, but no word has a link yet
        ("", "0-1 1-0", "0-1 1-0"),
        ("0-0 0-1", "0-0", "0-0 0-1"),  # grow: beside a link
        ("0-0 1-1", "0-0", "0-0 1-1"),  # diag: diagonally beside it
        ("0-0 0-2", "0-0", "0-0"),  # not beside it, and source word 0 has a link: neither grow nor final-and
        ("0-0 2-2", "0-0", "0-0 2-2"),  # not beside it, and neither word has one: final-and
        ("0-0 0-1 0-2", "0-0", "0-0 0-1 0-2"),  # step by step
        ("0-0 1-1 0-1", "0-0 1-1 1-0", "0-0 1-1"),  # beside it, but both words have links
        ("0-0 1-0", "0-0 0-1 1-1", "0-0 0-1 1-0"),  # 1-0 and 0-1 come before the diagonal 1-1, which then has links
        ("2-0", "0-2 2-2", "0-2 2-0"),  # final: forward first, 2-2 then finds source word 2 taken
        ("2-2", "2-0 0-2", "2-2"),
    ],
)
def test_grow_diag_final_and(forward: str, reverse: str, both: str) -> None:
    assert pharaoh.write(grow_diag_final_and(pharaoh.parse(forward), pharaoh.parse(reverse))) == both


def by_the_paper(forward: set, reverse: set, sources: int, targets: int) -> set:
    """The pseudo-code of Koehn et al. (2005), word for word, over the whole grid.

    nltk cannot be the second implementation: its grow_diag_final_and (3.10.4) looks words up among the keys "e" and
    "f", finds none linked, and returns the union.
    """
    neighbouring = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))
    alignment = {link for link in forward if link in reverse}

    def source_aligned(i: int) -> bool:
        return any(link[0] == i for link in alignment)

    def target_aligned(j: int) -> bool:
        return any(link[1] == j for link in alignment)

    new = True
    while new:
        new = False
        for i in range(sources):
            for j in range(targets):
                if (i, j) in alignment:
                    for di, dj in neighbouring:
                        point = (i + di, j + dj)
                        free = not source_aligned(point[0]) or not target_aligned(point[1])
                        if free and point in forward | reverse and point not in alignment:
                            alignment.add(point)
                            new = True
    for directed in (forward, reverse):
        for i in range(sources):
            for j in range(targets):
                if not source_aligned(i) and not target_aligned(j) and (i, j) in directed:
                    alignment.add((i, j))
    return alignment


def some_links(generator: random.Random) -> tuple[set, set, int, int]:
    """Links of both directions as an aligner gives them, a bit wilder."""
    sources, targets = generator.randint(1, 8), generator.randint(1, 8)
    forward = {(generator.randrange(sources), j) for j in range(targets) if generator.random() < 0.8}
    reverse = {(i, generator.randrange(targets)) for i in range(sources) if generator.random() < 0.8}
    shared = {link for link in forward if generator.random() < 0.5}
    return forward, reverse | shared, sources, targets


def test_symmetrisation_is_that_of_the_paper() -> None:
    generator = random.Random(3)
    for _ in range(300):
        forward, reverse, sources, targets = some_links(generator)
        found = grow_diag_final_and(forward, reverse)
        assert found == by_the_paper(forward, reverse, sources, targets), (forward, reverse)


def test_symmetrisation_does_not_depend_on_the_order_of_the_links() -> None:
    generator = random.Random(4)
    for _ in range(50):
        forward, reverse, _, _ = some_links(generator)
        shuffled = [generator.sample(sorted(links), len(links)) for links in (forward, reverse)]
        assert grow_diag_final_and(*shuffled) == grow_diag_final_and(sorted(forward), sorted(reverse))


# The format of links


def test_links_are_written_in_the_order_of_their_words() -> None:
    assert pharaoh.write([(10, 0), (2, 11), (2, 3)]) == "2-3 2-11 10-0"
    assert pharaoh.parse("2-3 2-11 10-0") == [(2, 3), (2, 11), (10, 0)]


@pytest.mark.parametrize("line", ["0:1", "0?1", "1-", "-1-2", "0-0-0", "a-b"])
def test_what_is_not_a_link_is_named(line: str) -> None:
    with pytest.raises(ValueError, match="is not a link"):
        pharaoh.parse(f"0-0 {line}")


# Lexical tables


def test_lexicon_by_hand() -> None:
    sentences = [
        (["das", "haus"], ["the", "house"], [(0, 0), (1, 1)]),
        (["das", "ist", "das"], ["this", "is", "the"], [(0, 0), (1, 1), (2, 2), (2, 0)]),
        (["ist"], ["that"], []),
    ]
    counts = lexicon.count_links(sentences)
    assert list(lexicon.lines(lexicon.entries(counts))) == [
        "das\tthe\t0.500000\t2",
        "das\tthis\t0.500000\t2",
        "haus\thouse\t1.000000\t1",
        "ist\tis\t1.000000\t1",
    ]
    assert [tuple(entry) for entry in lexicon.entries(lexicon.inverted(counts))] == [
        ("house", "haus", 1.0, 1),
        ("is", "ist", 1.0, 1),
        ("the", "das", 1.0, 2),
        ("this", "das", 1.0, 2),
    ]


def test_the_more_frequent_translation_comes_first() -> None:
    found = lexicon.entries({("a", "x"): 1, ("a", "z"): 3, ("a", "y"): 1})
    assert [(entry.translation, entry.probability) for entry in found] == [("z", 0.6), ("x", 0.2), ("y", 0.2)]


# Pieces


SOURCE, TARGET = ["a@@", "b", "c", "d@@", "e@@", "f"], ["A", "B@@", "C", "D"]  # ab c def | A BC D


@pytest.mark.parametrize(
    ("links", "reverse", "pieces"),
    [
        ("", False, ""),
        ("1-0", False, "2-0"),
        ("0-1", False, "0-1 0-2 1-1 1-2"),
        ("2-2 2-0", False, "3-0 3-3 4-0 4-3 5-0 5-3"),
        ("1-0", True, "0-1 0-2 1-1 1-2"),  # the file says: word 1 of the run's target, word 0 of its source
        ("0-2", True, "3-0 4-0 5-0"),
    ],
)
def test_a_link_becomes_all_pairs_of_pieces(links: str, reverse: bool, pieces: str) -> None:
    assert pharaoh.write(piece_links(pharaoh.parse(links), SOURCE, TARGET, reverse)) == pieces


@pytest.mark.parametrize(("links", "reverse"), [("3-0", False), ("0-3", False), ("0-3", True), ("3-0", True)])
def test_a_link_outside_its_sentence_is_refused(links: str, reverse: bool) -> None:
    with pytest.raises(ValueError, match=f"link {links} lies outside"):
        piece_links(pharaoh.parse(links), SOURCE, TARGET, reverse)


def files(folder: Path, links: list[str], source: list[str], target: list[str]) -> list[Path]:
    paths = [folder / name for name in ("train.gdfa", "train.de", "train.en")]
    for path, lines in zip(paths, (links, source, target), strict=True):
        write_lines(path, lines)
    return paths


def test_links_of_a_file_in_pieces(tmp_path: Path) -> None:
    paths = files(tmp_path, ["0-1", ""], [" ".join(SOURCE), "a"], [" ".join(TARGET), "A"])
    assert list(read_piece_links(*paths, reverse=False)) == [[(0, 1), (0, 2), (1, 1), (1, 2)], []]
    assert list(read_piece_links(*paths, reverse=True)) == [[(2, 0)], []]


@pytest.mark.parametrize(
    ("links", "message"),
    [
        (["0-0"], "train.gdfa has 1 lines but .*train.de has 2"),
        (["0-0", "0-0", ""], "train.gdfa has 3 lines but .*train.de has 2"),
        (["0-0", "0-1"], "train.gdfa, line 2: link 0-1 lies outside its sentence of 1 source and 1 target words"),
        (["0-0", "0?0"], "train.gdfa, line 2: '0\\?0' is not a link"),
    ],
)
def test_links_that_do_not_fit_their_text_are_refused(tmp_path: Path, links: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_piece_links(*files(tmp_path, links, ["a@@ b", "a"], ["A", "B"]), reverse=False))


# Error rate


def test_error_rate_is_that_of_the_specification(tmp_path: Path) -> None:
    write_lines(tmp_path / "links", ["1-1 2-3 3-2"])
    write_lines(tmp_path / "gold", ["1-1 2-2 2?3"])
    found = aligner_scores.score(tmp_path / "links", tmp_path / "gold")
    assert found == pytest.approx({"aer": 40, "align_precision": 200 / 3, "align_recall": 50})


@pytest.mark.parametrize(
    ("gold", "message"),
    [(["0-0", "0-0"], "links has 1 lines but .*gold has 2"), (["0:0"], "gold, line 1: '0:0' is not a link")],
)
def test_gold_links_that_do_not_fit_are_refused(tmp_path: Path, gold: list[str], message: str) -> None:
    write_lines(tmp_path / "links", ["0-0"])
    write_lines(tmp_path / "gold", gold)
    with pytest.raises(InputError, match=message):
        aligner_scores.score(tmp_path / "links", tmp_path / "gold")


# Settings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": 4}, "wordalign.model"),
        ({"iterations": [3, 3]}, "iterations must be null or 3 numbers"),
        ({"iterations": [3, 0, 3]}, "wordalign.iterations.1"),
        ({"threads": 2}, "wordalign.threads: unknown key"),
        ({"seed": -1}, "wordalign.seed"),
    ],
)
def test_wrong_settings_are_named(change: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        validate(SETTINGS.model_dump() | change, AlignmentSettings, "corpora.demo.wordalign")


@pytest.mark.parametrize(
    ("model", "pairs", "iterations"),
    [
        (1, 10_000, (50,)),
        (2, 10_000, (12, 50)),
        (3, 10_000, (12, 12, 50)),
        (3, 10**8, (2, 1, 2)),
        (3, 1, (1250, 1250, 5000)),
    ],
)
def test_eflomals_own_number_of_iterations(model: int, pairs: int, iterations: tuple[int, ...]) -> None:
    assert eflomal.default_iterations(model, pairs) == iterations


# The program


def links_of(path: Path) -> list[list[tuple[int, int]]]:
    return [pharaoh.parse(line) for line in read_lines(path, allow_empty=True)]


def test_directions_of_eflomal(tmp_path: Path) -> None:
    """Two target words for every source word: only forward can link both of them to it."""
    numbers = random.Random(1)
    words = [[numbers.randrange(30) for _ in range(4)] for _ in range(200)]
    pairs = [(" ".join(f"s{n}" for n in line), " ".join(f"T{n} u{n}" for n in line)) for line in words]
    done = eflomal.align(pairs, SETTINGS, tmp_path)
    assert done.pairs == 200
    forward, reverse = links_of(done.forward), links_of(done.reverse)
    for f, r in zip(forward, reverse, strict=True):
        assert len({j for _, j in f}) == len(f) and len({i for i, _ in r}) == len(r)
    right = {(i, j) for i in range(4) for j in (2 * i, 2 * i + 1)}
    assert np.mean([len(right & set(f)) / 8 for f in forward]) > 0.9
    assert np.mean([len(right & set(r)) / 4 for r in reverse]) > 0.9


def test_case_does_not_tell_words_apart(tmp_path: Path) -> None:
    pairs = [("Das Haus", "The House"), ("das haus", "THE house")]
    eflomal.align(pairs, SETTINGS, tmp_path)
    header, first, second = read_lines(tmp_path / "source")
    assert header.split() == ["2", "2"] and first == second == "2 0 1"


def test_a_sentence_beyond_eflomals_limit_has_no_links(tmp_path: Path) -> None:
    long = " ".join("a" for _ in range(1024))
    done = eflomal.align([(long, "a"), ("a", "a")], SETTINGS, tmp_path)
    assert links_of(done.forward)[0] == links_of(done.reverse)[0] == []
    assert len(links_of(done.forward)) == 2


def test_a_missing_program_is_one_sentence_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eflomal, "NAME", "no-such-aligner")
    with pytest.raises(InputError, match=r"^the word aligner no-such-aligner is not installed; run `make setup`$"):
        eflomal.align([("a", "a")], SETTINGS, tmp_path)


BROKEN = {
    "gone": (None, "cannot be read .*pip install --no-deps"),
    "another": ("#!/bin/sh\n", "takes its seed in a way that is not known here; build it anew on this machine"),
    "failing": ("#!/bin/sh\necho cannot >&2; exit 3\n", r"ended with status 3 \(cannot\); build it anew"),
    "killed": ("#!/bin/sh\nkill -ILL $$\n", r"ended with status -4 \(it says nothing\); build it anew"),
    "short": ("#!/bin/sh\necho 0-0 | tee forward >reverse\n", "wrote 1 lines of 2; free some space"),
}


@pytest.mark.parametrize(("script", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_program_is_one_sentence_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, message: str
) -> None:
    if script is not None:
        seed = "" if "takes its seed" in message else "exit\n\0/dev/urandom\0"
        (tmp_path / "program").write_text(script + seed)
    monkeypatch.setattr(eflomal, "PROGRAM", tmp_path / "program")
    with pytest.raises(InputError, match=message):
        eflomal.align([("a", "a"), ("b", "b")], SETTINGS, tmp_path)


# The stage


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 sentence pairs of the demo; its test set ends with two of the gold pairs."""
    folder = tmp_path_factory.mktemp("demo") / "corpus"
    make("demo", DEMO, Sources.of_environment(), folder)
    for language in ("zh", "en"):
        lines = [*read_lines(folder / f"test.{language}"), *read_lines(folder / f"gold.{language}")[:2]]
        write_lines(folder / f"test.{language}", lines)
    return folder


@pytest.fixture(scope="module")
def aligned(corpus: Path) -> Path:
    out = corpus.parent / "wordalign"
    wordalign.wordalign(corpus, SETTINGS, out)
    return out


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_folder_holds_links_lexica_and_scores(corpus: Path, aligned: Path) -> None:
    sets, methods = ("train", "dev", "gold"), ("forward", "reverse", "gdfa")
    tables = {"lexicon.source-target.tsv", "lexicon.target-source.tsv", "scores.json"}
    assert set(contents(aligned)) == {f"{name}.{method}" for name in sets for method in methods} | tables
    for name in sets:
        lengths = [[len(line.split()) for line in read_lines(corpus / f"{name}.{side}")] for side in ("zh", "en")]
        for method in methods:
            found = links_of(aligned / f"{name}.{method}")
            for links, source, target in zip(found, *lengths, strict=True):
                assert links == sorted(set(links))
                assert all(i < source and j < target for i, j in links)
    assert {path.name for path in aligned.parent.iterdir()} == {"corpus", "wordalign"}


def test_files_of_the_directions_and_of_both_agree(aligned: Path) -> None:
    forward, reverse, both = (links_of(aligned / f"gold.{method}") for method in ("forward", "reverse", "gdfa"))
    assert forward != reverse
    assert [sorted(grow_diag_final_and(f, r)) for f, r in zip(forward, reverse, strict=True)] == both


def test_lexica_count_the_links_of_train_between_words_as_they_are_written(corpus: Path, aligned: Path) -> None:
    rows = [line.split("\t") for line in read_lines(aligned / "lexicon.source-target.tsv")]
    links = links_of(aligned / "train.gdfa")
    assert sum(int(row[3]) for row in rows) == sum(map(len, links))
    cased = {word for line in read_lines(corpus / "train.en") for word in line.split()}
    assert {row[1] for row in rows} <= cased and any(row[1] != row[1].lower() for row in rows)
    turned = {(row[1], row[0], row[3]) for row in rows}
    back = [line.split("\t") for line in read_lines(aligned / "lexicon.target-source.tsv")]
    assert {(row[0], row[1], row[3]) for row in back} == turned


def test_scores_are_better_than_chance_and_say_how_they_came_about(aligned: Path) -> None:
    record = json.loads((aligned / "scores.json").read_text())
    assert list(record["aligners"]) == ["forward", "reverse", "gdfa"]
    for method, values in record["aligners"].items():
        assert values == aligner_scores.score(aligned / f"gold.{method}", aligned.parent / "corpus/gold.align")
        assert values["aer"] < 60
    recipe = record["recipe"]
    assert recipe["program"] == "eflomal 2.0.0"
    assert recipe["model"] == "3 (iterations: 2 x IBM 1, 2 x HMM, 4 x HMM with fertilities)"
    assert "the gold pairs are aligned together with the training data" in recipe["text"]


def test_train_dev_and_gold_are_one_text(corpus: Path, aligned: Path) -> None:
    """Test sets are left out: some hold the gold pairs again, which would confirm their own errors."""
    pairs = sum(len(read_lines(corpus / f"{name}.zh")) for name in ("train", "dev", "gold"))
    text = json.loads((aligned / "scores.json").read_text())["recipe"]["text"]
    assert text.endswith(f"(train, dev, gold: one text of {pairs} pairs)")


def test_the_same_input_gives_the_same_bytes_and_another_seed_others(corpus: Path, aligned: Path) -> None:
    wordalign.wordalign(corpus, SETTINGS, corpus.parent / "again/wordalign")
    assert contents(corpus.parent / "again/wordalign") == contents(aligned)
    wordalign.wordalign(corpus, SETTINGS.model_copy(update={"seed": 2}), corpus.parent / "other/wordalign")
    other = contents(corpus.parent / "other/wordalign")
    assert all(other[name] != content for name, content in contents(aligned).items())
    shutil.rmtree(corpus.parent / "again")
    shutil.rmtree(corpus.parent / "other")


def test_the_command_reads_its_settings(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = SETTINGS.model_dump(mode="json") | {"model": 1, "iterations": [2]}
    Path("params.yaml").write_text(yaml.safe_dump({"corpora": {"demo": {"wordalign": settings}}}))
    wordalign.main(["--corpus", "demo", "--text", str(corpus), "--out", "out"])
    assert json.loads(Path("out/scores.json").read_text())["recipe"]["model"] == "1 (iterations: 2 x IBM 1)"


@pytest.fixture
def damaged(corpus: Path, tmp_path: Path) -> Path:
    """A copy of the corpus to damage."""
    return shutil.copytree(corpus, tmp_path / "corpus")


def test_without_a_gold_set_there_are_no_scores(damaged: Path, tmp_path: Path) -> None:
    stats = json.loads((damaged / "stats.json").read_text())
    (damaged / "stats.json").write_text(json.dumps(stats | {"gold": False}))
    for path in damaged.glob("gold.*"):
        path.unlink()
    wordalign.wordalign(damaged, SETTINGS, tmp_path / "out")
    record = json.loads((tmp_path / "out/scores.json").read_text())
    none = {"aer": None, "align_precision": None, "align_recall": None}
    assert record["aligners"] == dict.fromkeys(("forward", "reverse", "gdfa"), none)
    assert not list((tmp_path / "out").glob("gold.*"))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda c: (c / "dev.en").unlink(), "dev.en: no such file"),
        (lambda c: write_lines(c / "train.en", ["one"]), "train.zh has 300 lines but .*train.en has 1"),
        (lambda c: write_lines(c / "gold.align", ["0-0"]), "gold.gdfa has 40 lines|gold.forward has 40 lines"),
        (lambda c: (c / "stats.json").write_text("{}"), "stats.json lacks source, target, tests, gold"),
    ],
)
def test_bad_input_is_one_clear_error_and_leaves_the_last_output(
    damaged: Path, tmp_path: Path, damage, message: str
) -> None:
    write_lines(tmp_path / "out/last", ["output"])
    damage(damaged)
    with pytest.raises(InputError, match=message):
        wordalign.wordalign(damaged, SETTINGS, tmp_path / "out")
    assert contents(tmp_path / "out") == {"last": b"output\n"}
    assert set(os.listdir(tmp_path)) == {"corpus", "out"}
