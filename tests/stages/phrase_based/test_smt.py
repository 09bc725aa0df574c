"""The whole of it: the stages of the phrase-based system on a small corpus, and machines without Thot."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
import sacrebleu
import yaml

from stages import score_smt, smt, tag, wordalign
from stages.alignment import thot
from stages.alignment.pharaoh import parse
from stages.files.errors import InputError
from stages.files.records import write_json
from stages.files.run_directory import LEFT_OUT
from stages.files.text import read_lines, write_lines
from stages.phrase_based.decoder import START, SmtDecoder
from stages.phrase_based.system import spread
from stages.settings.smt import SmtSettings
from stages.translating.translations import read_translations
from tests.helpers import committed
from tests.helpers.alignment import SETTINGS as EFLOMAL
from tests.helpers.corpora.made_up import make_demo

pytestmark = pytest.mark.skipif(thot.missing() is not None, reason=str(thot.missing()))
PARAMS = committed.params()["corpora"]["demo"]
SMT = PARAMS["smt"] | {
    "decoder": PARAMS["smt"]["decoder"] | {"stack": 2},  # short stacks, which is what translation's time goes with
    "tuning": {"sentences": 20, "stack": 2, "rounds": 2, "nbest": 20, "restarts": 1, "directions": 1, "seed": 1},
}
RARE = 1
"""Occurrences of a word that the neural systems do not know."""
STRANGE = "||| <s> NULL 从未见过 \\NULL"


def params(folder: Path, **changes) -> None:
    own = {"corpus": PARAMS["corpus"], "score": PARAMS["score"], "decoding": PARAMS["decoding"], "smt": SMT | changes}
    (folder / "params.yaml").write_text(yaml.safe_dump({"corpora": {"demo": own}}))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Corpus, links and tags; the test set's first source sentence has words that mean something to Thot, the second
    is longer than it can translate."""
    folder = tmp_path_factory.mktemp("smt")
    make_demo(folder / "corpus", train=600, dev=30, test=20, gold=20)
    lines = read_lines(folder / "corpus/test.zh")
    written = [STRANGE, " ".join(lines * 3), *lines[2:]]
    write_lines(folder / "corpus/test.zh", written)
    write_lines(folder / "corpus/test.pos.zh", (" ".join("NN" for _ in line.split(" ")) for line in written))
    wordalign.wordalign(folder / "corpus", EFLOMAL, folder / "wordalign")
    return folder


def run(folder: Path, out: str, **changes) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        params(folder, **changes)
        smt.smt("demo", "forward", *map(Path, ("corpus", "wordalign", out)))
    return folder / out


def score(folder: Path, translations: str) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("bin").mkdir(exist_ok=True)
        if not Path("tags").exists():
            tag.tag(Path("corpus"), Path("tags"))
        for language in ("zh", "en"):
            words = Counter(word for line in read_lines(Path(f"corpus/train.{language}")) for word in line.split(" "))
            write_lines(Path(f"bin/dict.{language}.txt"), (f"{word} {n}" for word, n in words.items() if n > RARE))
        places = map(Path, ("corpus", translations, "wordalign", "tags", "corpus", "bin", "scores"))
        score_smt.score_smt("demo", "smt", "forward", *places)
    return folder / "scores"


@pytest.fixture(scope="module")
def translated(folder: Path) -> Path:
    return run(folder, "translations")


@pytest.mark.process
def test_it_translates_every_sentence_and_aligns_the_gold_pairs(folder: Path, translated: Path) -> None:
    names = {"dev.jsonl", "test.jsonl", "gold.forced.jsonl", "gold.links", "smt.json"}
    assert {path.name for path in translated.iterdir()} == names
    for name in ("dev", "test"):
        sources = [line.split(" ") for line in read_lines(folder / f"corpus/{name}.zh")]
        found = read_translations(translated / f"{name}.jsonl")
        assert [one.source for one in found] == sources
        assert all(one.target and one.attention is None and one.log_probabilities is None for one in found)
    golds = zip(*(read_lines(folder / f"corpus/gold.{side}") for side in ("zh", "en")), strict=True)
    for line, (source, target) in zip(read_lines(translated / "gold.links", allow_empty=True), golds, strict=True):
        assert all(j < len(source.split(" ")) and i < len(target.split(" ")) for j, i in parse(line))


@pytest.mark.process
def test_unknown_and_strange_words_are_copied_and_long_sentences_translated_in_pieces(translated: Path) -> None:
    strange, long, *_ = read_translations(translated / "test.jsonl")
    assert sorted(strange.target) == sorted(STRANGE.split(" "))
    assert len(long.source) > thot.LONGEST and len(long.target) > thot.LONGEST / 2


@pytest.mark.process
def test_tuning_is_written_down_and_everything_the_same_again(folder: Path, translated: Path) -> None:
    record = json.loads((translated / "smt.json").read_text())
    assert 1 < len(record["dev_bleu"]) <= 3
    best = max(range(len(record["dev_bleu"])), key=lambda number: (record["dev_bleu"][number], number))
    assert (tuple(record["weights"].values()) == START) == (best == 0)  # sums round otherwise on another processor
    again = run(folder, "again")
    for path in translated.glob("*.jsonl"):
        assert path.read_bytes() == (again / path.name).read_bytes()
    assert json.loads((again / "smt.json").read_text())["weights"] == record["weights"]


@pytest.mark.process
def test_tuning_takes_its_own_stack_and_sentences_and_translation_the_decoders(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, list[int]] = {"best": [], "translate": []}
    for name, found in asked.items():
        method = getattr(SmtDecoder, name)

        def noted(self, *args, method=method, found=found):
            found.append(self._decoder.s)
            return method(self, *args)

        monkeypatch.setattr(SmtDecoder, name, noted)
    run(folder, "stacks", tuning=SMT["tuning"] | {"stack": 1, "rounds": 0})
    dev, test = (len(read_lines(folder / f"corpus/{name}.zh")) for name in ("dev", "test"))
    assert asked == {"best": [1] * 20, "translate": [SMT["decoder"]["stack"]] * (dev + test)}


def test_sentences_to_tune_on_are_spread_over_dev() -> None:
    assert spread(10, 4) == [0, 2, 5, 7]
    assert spread(3, None) == spread(3, 9) == [0, 1, 2]


@pytest.mark.process
def test_links_of_its_own_give_other_phrases(folder: Path, translated: Path) -> None:
    other = run(folder, "hmm", links="hmm", tuning=SMT["tuning"] | {"rounds": 0})
    numbers = [json.loads((path / "smt.json").read_text())["phrase_pairs"] for path in (translated, other)]
    assert numbers[0] != numbers[1] and min(numbers) > 500


@pytest.mark.process
def test_it_is_measured_by_what_needs_no_attention(folder: Path, translated: Path) -> None:
    metrics = json.loads((score(folder, "translations") / "scores.json").read_text())["metrics"]
    for measure in ("bleu", "bleu_cased", "bleu_v11b", "chrf", "ter", "repeated_phrases", "aer", "wall_seconds"):
        assert metrics[measure] is not None, measure
    for measure in ("perplexity", "rot", "saer", "aer_renorm", "align_f1_t02", "eos_aligned", "parameters", "cut_off"):
        assert metrics[measure] is None, measure
    assert 5 < metrics["bleu"] < 100 and metrics["aer"] < 60


@pytest.mark.process
def test_no_unk_is_of_the_sentences_that_the_neural_systems_know_every_word_of(folder: Path, translated: Path) -> None:
    found = json.loads((score(folder, "translations") / "scores.json").read_text())
    known = {
        language: {line.split(" ")[0] for line in read_lines(folder / f"bin/dict.{language}.txt")}
        for language in ("zh", "en")
    }
    texts = {language: [*map(str.split, read_lines(folder / f"corpus/test.{language}"))] for language in known}
    rows = [k for k in range(20) if known["zh"].issuperset(texts["zh"][k]) and known["en"].issuperset(texts["en"][k])]
    assert 0 < len(rows) == found["metrics"]["no_unk_sentences"] < 20
    made = read_translations(translated / "test.jsonl")
    systems = [" ".join(made[k].target) for k in rows]
    columns = [read_lines(path) for path in sorted((folder / "corpus").glob("test.ref*.en"))]
    references = [[column[k] for k in rows] for column in columns]
    expected = sacrebleu.corpus_bleu(systems, references, tokenize="none", lowercase=True, force=True).score
    assert found["metrics"]["bleu_no_unk"] == pytest.approx(expected)
    assert "forbidden no word" in found["recipe"]["no_unk"]


@pytest.mark.process
def test_where_thot_is_missing_nothing_but_the_reason_is_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thot, "missing", lambda: "no wheel for this machine")
    assert [path.name for path in run(folder, "without").iterdir()] == [LEFT_OUT]
    found = score(folder, "without")
    assert json.loads((found / LEFT_OUT).read_text()) == {"why": "no wheel for this machine"}
    assert [path.name for path in found.iterdir()] == [LEFT_OUT]


def test_a_model_that_is_missing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Thot cannot read the model"):
        SmtDecoder(tmp_path / "model", SmtSettings(**SMT).decoder)


@pytest.mark.process
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: write_lines(f / "wordalign/train.gdfa", ["0-0"]), "train.gdfa has 1 lines"),
        (lambda f: (f / "corpus/dev.zh").unlink(), "dev.zh: no such file"),
    ],
)
def test_bad_input_leaves_the_last_output(folder: Path, tmp_path: Path, damage, message: str) -> None:
    for name in ("corpus", "wordalign"):
        shutil.copytree(folder / name, tmp_path / name)
    write_json(tmp_path / "out/last.json", {})
    damage(tmp_path)
    with pytest.raises(InputError, match=message):
        run(tmp_path, "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["last.json"]
