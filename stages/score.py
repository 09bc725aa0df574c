"""Stage `score`: the translations and alignments of one trained system -> its measures, and one printed row."""

import argparse
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.atomic import new_folder
from stages.files.main import run
from stages.files.records import write_json
from stages.measures import bleu, chrf, ter
from stages.measures.gold import Gold
from stages.scoring import sentence_files as tables
from stages.scoring.counts import (
    Reading,
    Rows,
    alignment_rows,
    attends,
    attention_rows,
    known_words,
    no_unk_rows,
    probability_rows,
    text_rows,
)
from stages.scoring.embedding_transform import transform_metrics, transform_table
from stages.scoring.inputs import (
    Text,
    read_best,
    read_cost,
    read_decoded,
    read_gold,
    read_references,
    read_tags,
    read_text,
    read_without_unk,
)
from stages.scoring.printed import row
from stages.scoring.values import aer_floor, values
from stages.settings.params import section
from stages.settings.scoring import ScoreSettings
from stages.settings.training import Decoding
from stages.tagging.tagger import Tagger, read_about, read_tagger
from stages.text.unknown import UnkReplace
from stages.translating.translations import read_transform

UNKNOWN_WORDS: dict[UnkReplace, str] = {
    "none": "left as <unk>",
    "copy": "replaced after training by the source word attended to most",
    "lexical": "replaced after training by the lexicon's best translation of the source word attended to most, "
    "or by that word",
    "lexical_lower": "replaced after training by the lexicon's best translation of the source word attended to most "
    "if that begins in lower case, or by that word",
}
"""How the recipe says it. Training chooses its checkpoint with unknown words left as they are."""


class Inputs(NamedTuple):
    """Where the files of one system are, and what the numbers depend on beside them.

    translations: folder of the evaluate stage; training: training.json of the train stage; tags: folder of the tag
    stage; best: best translation of a source word in the lexicon.
    """

    translations: Path
    training: Path
    tags: Path
    settings: ScoreSettings
    decoding: Decoding
    best: Mapping[str, str]


class Scores(NamedTuple):
    """`values`: ready for JSON. By set: `rows`, the counts of every sentence, and `sentences`, how many there are."""

    values: dict[str, Any]
    rows: dict[str, Rows]
    sentences: dict[str, int]


def score(text: Text, inputs: Inputs, variant: str, seed: int) -> Scores:
    """The scores of one system; raises InputError if the files do not fit together."""
    cost = read_cost(inputs.training, variant, seed)
    tagger = read_tagger(inputs.tags, text.target)
    references = {name: read_references(text, name) for name in ("dev", *text.tests)}
    rows = {name: _set_rows(text, name, references[name], inputs, tagger) for name in references}
    forced = read_decoded(text, "dev", inputs.translations / "dev.forced.jsonl", forced=True)
    rows["dev"] |= probability_rows(forced)
    golds: list[Gold] = []
    aligned: Rows = {}
    if text.gold:
        golds = read_gold(text)
        forced = read_decoded(text, "gold", inputs.translations / "gold.forced.jsonl", forced=True)
        aligned = rows["gold"] = alignment_rows(forced, golds, inputs.settings)
    sets = {name: values(rows[name], "tests") for name in references}
    perplexity = values(rows["dev"], "dev")
    transform = read_transform(inputs.translations / "transform.json")
    metrics = {
        **sets[text.tests[0]],
        "eos_aligned": sets["dev"]["eos_aligned"],
        **perplexity,
        f"perplexity_{text.source}-{text.target}": perplexity["perplexity"],
        **values(aligned, "gold"),
        "aer_floor": aer_floor(golds),
        **transform_metrics(transform, inputs.best),
        **cost,
    }
    scores = {
        "variant": variant,
        "seed": seed,
        "metrics": metrics,
        "tests": {name: sets[name] for name in text.tests},
        "dev": sets["dev"] | perplexity,
        "transform": transform_table(transform, inputs.best),
        "recipe": recipe(text, inputs, len(references[text.tests[0]][0]), len(golds)),
    }
    sentences = {name: len(of) for name, of in references.items()} | ({"gold": len(golds)} if text.gold else {})
    return Scores(scores, rows, sentences)


def _set_rows(
    text: Text, name: str, references: Sequence[Sequence[str]], inputs: Inputs, tagger: Tagger | None
) -> Rows:
    """Of the system's own translations of one set."""
    reading = Reading(inputs.settings, text.target, inputs.best)
    decoded = read_decoded(text, name, inputs.translations / f"{name}.jsonl")
    known = known_words(decoded, reading)
    source = read_tags(text, inputs.tags, name)
    target = None if tagger is None or not attends(known) else tagger([one.target for one in known])
    rows = text_rows(decoded, references, reading) | attention_rows(known, source, target)
    if name in text.tests:
        rows |= no_unk_rows(read_without_unk(text, name, inputs.translations), references, reading)
    return rows


def recipe(text: Text, inputs: Inputs, references: int, gold_sentences: int) -> dict[str, Any]:
    """What every number of the scores depends on beside the system."""
    settings, decoding = inputs.settings, inputs.decoding
    tags = {language: read_about(inputs.tags, language) for language in (text.source, text.target)}
    alignment = (
        f"gold references, forced, {gold_sentences} sentences; highest weight per target word, eos: "
        f"{settings.aer_eos}; sub-words: sum over source pieces, mean over target pieces"
    )
    return {
        "test_set": text.tests[0],
        "test_sets": list(text.tests),
        "direction": f"{text.source}-{text.target}",
        "checkpoint": "highest dev BLEU",
        "decoding": f"beam {decoding.beam}, length penalty {decoding.length_penalty:g}, "
        f"at most {decoding.max_len_a:g} S + {decoding.max_len_b} pieces",
        "bleu": bleu.signature(settings.bleu_tokenize, lowercase=True, references=references),
        "bleu_cased": bleu.signature(settings.bleu_tokenize, lowercase=False, references=references),
        "bleu_v11b": "mteval-v11b: lower case, its own tokenisation, length of the shortest reference, no smoothing",
        "chrf": chrf.signature(references),
        "ter": ter.signature(settings.detokenise, references),
        "bleu_input": "detokenised (Moses)" if settings.detokenise else "tokens",
        "bleu1": "brevity penalty times 1-gram precision (mteval's cumulative score)",
        "unknown_words": UNKNOWN_WORDS[settings.unk_replace],
        "no_unk": "BLEU of the sentences without an unknown piece in the source and in the set's own translation, "
        "translated with unknown words forbidden; BLEU with unknown words kept counts them as wrong words",
        "bleu_by_length": "sentences by words of the source",
        "perplexity": "dev references, forced, per piece, end of sentence included",
        "alignment": alignment if gold_sentences else "no gold set",
        "rot": "source words of all classes and of each, case-folded, without end of sentence",
        "attention_entropy": "nats, mean over the words of the system's translation",
        "eos_aligned": "dev, of the translations that were not cut off",
        "tags": {
            language: f"text: {about.tagger}; translations: {about.tags_of_new_text}" if about.tagger else about.why
            for language, about in tags.items()
        },
        "transform": "words that the lexicon knows a translation of, by falling frequency; nearest by ||W E_x - E_y||",
        "repeated_phrases": "total over the test set, at least 4 words, case-folded",
        "measured_with": {name: version(name) for name in ("sacrebleu", "sacremoses", "numpy")},
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="section `corpora.<corpus>.score` of params.yaml")
    parser.add_argument("--variant", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage")
    parser.add_argument("--translations", type=Path, required=True, help="folder of the evaluate stage")
    parser.add_argument("--training", type=Path, required=True, help="training.json of the train stage")
    parser.add_argument("--wordalign", type=Path, required=True, help="folder of the wordalign stage")
    parser.add_argument("--tags", type=Path, required=True, help="folder of the tag stage")
    parser.add_argument("--out", type=Path, required=True, help="folder; gets scores.json and a CSV file a set")
    args = parser.parse_args(arguments)
    text = read_text(args.text, args.direction)
    inputs = Inputs(
        translations=args.translations,
        training=args.training,
        tags=args.tags,
        settings=section(f"corpora.{args.corpus}.score", ScoreSettings),
        decoding=section(f"corpora.{args.corpus}.decoding", Decoding),
        best=read_best(args.wordalign, args.direction),
    )
    scores = score(text, inputs, args.variant, args.seed)
    with new_folder(args.out) as out:
        write_json(out / "scores.json", scores.values)
        for name, rows in scores.rows.items():
            tables.write(out / f"{name}.csv", rows, scores.sentences[name])
    print(row(args.variant, args.seed, scores.values["metrics"]), flush=True)


if __name__ == "__main__":
    run(main)
