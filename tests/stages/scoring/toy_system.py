"""A corpus of two sentences and what one system makes of it, in files as the stages before `score` leave them."""

import json
import shutil
import sys
from pathlib import Path

from stages import score as stage
from stages.files.run_directory import RunDirectory
from stages.scoring.inputs import read_text
from stages.scoring.system import score
from stages.scoring.system_files import Folders, read_system
from stages.settings.scoring import ScoreSettings
from stages.settings.training import Decoding

TOKENS = ScoreSettings(detokenise=False, bleu_tokenize="none", aer_eos="drop", unk_replace="none")
COST = {"parameters": 1_234_567, "train_tokens_per_second": 9100.4, "wall_seconds": 73.6}
DECODING = Decoding(
    beam=7, length_penalty=1.0, max_len_a=1.5, max_len_b=10, max_tokens=1000, precision="fp32", threads=1
)


def record(source, target, attention, finished=True):
    """A line of the evaluate stage; pieces without the end of sentence."""
    target = [*target.split(), *(["</s>"] if finished else [])]
    return {
        "source": [*source.split(), "</s>"],
        "target": target,
        "attention": attention,
        "score": -1.0,
        "positional": [-0.5] * len(target),
        "finished": finished,
    }


SETS = ("dev", "test", "other", "gold.forced", "dev.forced")
LEXICON = {"source-target": ["ab\tAB\t0.9\t9", "ab\tC\t0.1\t1", "d\tD\t1.0\t3"], "target-source": ["AB\tab\t1.0\t9"]}

# two sentences, source language de, target language en
SENTENCES = {
    "de": ["ab c", "d e"],
    "en": ["AB C", "D"],
}
PIECES = {"de": ["a@@ b c", "d e"], "en": ["AB C", "D"]}
ATTENTION = [
    # AB looks at both pieces of ab, C at the end of sentence
    [[0.3, 0.3, 0.3, 0.1], [0.1, 0.1, 0.3, 0.5], [0, 0, 0, 1]],
    # D looks at e
    [[0.2, 0.7, 0.1], [0, 0, 1]],
]


def write_lines(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_records(path, records):
    write_lines(path, [json.dumps(one, ensure_ascii=False) for one in records])


def write_about(folder, words):
    """The tag stage's folder; words: language -> class of each word, for the languages that can be tagged."""
    folder.mkdir(exist_ok=True)
    nothing = {"tagger": None, "why": "no tagger", "tags_of_new_text": None, "words": None, "accuracy": None}
    about = {language: nothing for language in SENTENCES}
    for language, classes in words.items():
        about[language] = {**nothing, "tagger": "gold", "why": None, "words": f"words.{language}.tsv"}
        write_lines(folder / f"words.{language}.tsv", [f"{word}\t{name}" for word, name in classes.items()])
    (folder / "about.json").write_text(json.dumps(about))


def write_system(folder):
    """All files of the corpus and of the system."""
    text, translations = folder / "corpus", folder / "translations"
    text.mkdir()
    translations.mkdir()
    stats = {"corpus": "toy", "source": "de", "target": "en", "tests": ["test", "other"], "gold": True}
    (text / "stats.json").write_text(json.dumps(stats))
    for language, lines in SENTENCES.items():
        for name in ("dev", "test", "other", "gold"):
            write_lines(text / f"{name}.{language}", lines)
            write_lines(text / f"{name}.ref0.{language}", lines)
    write_lines(text / "test.ref1.en", ["AB", "D"])
    write_lines(text / "gold.align", ["0-0 1?1", "1-0"])
    records = [record(*sentence) for sentence in zip(PIECES["de"], PIECES["en"], ATTENTION, strict=True)]
    for name in SETS:
        write_records(translations / f"{name}.jsonl", records)
    for name in ("test", "other"):
        write_records(translations / f"{name}.no_unk.jsonl", [{**records[1], "row": 1}])
    (translations / "transform.json").write_text("null")
    (translations / "dev.coverage.jsonl").write_text("")
    write_about(folder / "tags", {})
    for sides, lines in LEXICON.items():
        (folder / "wordalign").mkdir(exist_ok=True)
        write_lines(folder / "wordalign" / f"lexicon.{sides}.tsv", lines)
    (folder / "training.json").write_text(json.dumps({"variant": "toy_nmt", "seed": 1, **COST}))


def score_files(files, direction="forward", settings=TOKENS, best=None):
    """The scores as they are written; best: in place of what the lexicon says."""
    text = read_text(files / "corpus", direction)
    folders = Folders(files / "translations", files / "training.json", files / "wordalign", files / "tags", None)
    system = read_system(text, folders, "toy_nmt", 1)
    return score(system._replace(best=best or {}), settings, DECODING).values


def run_stage(files, monkeypatch, out, direction="forward", unk_replace="none"):
    """The stage by its command line, on what is in the folder `files`, where its output is `out` then."""
    settings = {"detokenise": False, "bleu_tokenize": "none", "aer_eos": "drop", "unk_replace": unk_replace}
    run = RunDirectory(Path(f"work/toy/{direction}-bpe"))
    study = {"study": "toy", "corpus": "toy", "direction": direction, "segmentation": "bpe", "run": str(run.path)}
    study |= {
        "seeds": [1],
        "systems": ["toy_nmt"],
        "fine_tuned": {},
        "decoded": {},
        "also_reverse": [],
        "read_outs": [],
        "training_sizes": [],
    }
    study |= {"smt": [], "released": {}, "released_smt": []}
    corpora = {"toy": {"score": settings, "decoding": DECODING.model_dump()}}
    (files / "params.yaml").write_text(json.dumps({**study, "corpora": corpora}))
    monkeypatch.chdir(files)
    places = {
        "corpus": run.of_corpus.text, "wordalign": run.of_corpus.wordalign, "tags": run.of_corpus.tags,
        "translations": run.translations("toy_nmt", 1), "training.json": run.model("toy_nmt", 1) / "training.json",
    }  # fmt: skip
    for name, place in places.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.symlink_to(files / name)
    command = f"score --corpus toy --direction {direction} --segmentation bpe --variant toy_nmt --seed 1"
    monkeypatch.setattr(sys, "argv", command.split())
    stage.main()
    Path(out).parent.mkdir(exist_ok=True)
    shutil.rmtree(out, ignore_errors=True)
    run.scores("toy_nmt", 1).rename(out)
