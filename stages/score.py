"""Stage `score`: the translations and alignments of one trained system -> its measures, and one printed row."""

import argparse
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from stages import scorecard
from stages.main import run
from stages.measures import bleu
from stages.params import section
from stages.score_inputs import Text, read_best, read_cost, read_decoded, read_gold, read_references, read_text
from stages.settings.score import ScoreSettings
from stages.settings.training import Decoding
from stages.textio import write_json
from stages.translations import Translation
from stages.unknown import UnkReplace, replace_unknown

UNKNOWN_WORDS: dict[UnkReplace, str] = {
    "none": "left as <unk>",
    "copy": "replaced after training by the source word attended to most",
    "lexical": "replaced after training by the lexicon's best translation of the source word attended to most, "
    "or by that word",
    "lexical_lower": "replaced after training by the lexicon's best translation of the source word attended to most "
    "if that begins in lower case, or by that word",
}
"""How the recipe says it. Training chooses its checkpoint with unknown words left as they are."""


def score(
    text: Text,
    translations: Path,
    training: Path,
    variant: str,
    seed: int,
    settings: ScoreSettings,
    decoding: Decoding,
    best: Mapping[str, str],
) -> dict[str, Any]:
    """The scores of one system, ready for JSON; raises InputError if the files do not fit together.

    `best`: best translation of a source word, for unknown words.
    """
    cost = read_cost(training, variant, seed)
    references = {name: read_references(text, name) for name in ("dev", *text.tests)}
    values = {}
    for name in references:
        decoded = read_decoded(text, name, translations / f"{name}.jsonl")
        known = [_without_unknown(translation, settings.unk_replace, best) for translation in decoded]
        rows = scorecard.translation_rows(known, references[name], text.target, settings)
        values[name] = scorecard.translation_metrics(rows)
    perplexity = scorecard.perplexity_of(read_decoded(text, "dev", translations / "dev.forced.jsonl", forced=True))
    golds, forced_gold = [], []
    if text.gold:
        golds = read_gold(text)
        forced_gold = read_decoded(text, "gold", translations / "gold.forced.jsonl", forced=True)
    headline = text.tests[0]
    metrics = {
        **values[headline],
        "perplexity": perplexity,
        **scorecard.alignment_metrics(scorecard.alignment_rows(forced_gold, golds), settings.aer_eos),
        "aer_floor": scorecard.aer_floor(golds),
        **cost,
    }
    return {
        "variant": variant,
        "seed": seed,
        "metrics": metrics,
        "tests": {name: values[name] for name in text.tests},
        "dev": values["dev"],
        "recipe": recipe(text, settings, decoding, len(references[headline][0]), len(golds)),
    }


def _without_unknown(translation: Translation, rule: UnkReplace, best: Mapping[str, str]) -> Translation:
    target = replace_unknown(translation.target, translation.source, translation.word_attention, rule, best)
    return translation._replace(target=target)


def recipe(
    text: Text, settings: ScoreSettings, decoding: Decoding, references: int, gold_sentences: int
) -> dict[str, Any]:
    """What every number of the scores depends on beside the system."""
    alignment = (
        f"gold references, forced, {gold_sentences} sentences; highest weight per target word, eos: "
        f"{settings.aer_eos}; sub-words: sum over source pieces, mean over target pieces"
    )
    return {
        "test_set": text.tests[0],
        "test_sets": text.tests,
        "direction": f"{text.source}-{text.target}",
        "checkpoint": "highest dev BLEU",
        "decoding": f"beam {decoding.beam}, length penalty {decoding.length_penalty:g}, "
        f"at most {decoding.max_len_a:g} S + {decoding.max_len_b} pieces",
        "bleu": bleu.signature(settings.bleu_tokenize, lowercase=True, references=references),
        "bleu_cased": bleu.signature(settings.bleu_tokenize, lowercase=False, references=references),
        "bleu_input": "detokenised (Moses)" if settings.detokenise else "tokens",
        "unknown_words": UNKNOWN_WORDS[settings.unk_replace],
        "perplexity": "dev references, forced, per piece, end of sentence included",
        "alignment": alignment if gold_sentences else "no gold set",
        "rot": "all source words, case-folded, without end of sentence",
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
    parser.add_argument("--wordalign", type=Path, help="folder of the wordalign stage, if `unk_replace` is lexical")
    parser.add_argument("--out", type=Path, required=True, help="JSON file to write")
    args = parser.parse_args(arguments)
    settings = section(f"corpora.{args.corpus}.score", ScoreSettings)
    text = read_text(args.text, args.direction)
    decoding = section(f"corpora.{args.corpus}.decoding", Decoding)
    best = read_best(args.wordalign, args.direction) if settings.unk_replace in ("lexical", "lexical_lower") else {}
    scores = score(text, args.translations, args.training, args.variant, args.seed, settings, decoding, best)
    write_json(args.out, scores)
    print(scorecard.row(args.variant, args.seed, scores["metrics"]), flush=True)


if __name__ == "__main__":
    run(main)
