"""The recipe of a system's scores: settings, signatures, conventions and versions that their numbers depend on."""

from importlib.metadata import version
from typing import Any

from stages.measures import bleu, chrf, ter
from stages.scoring.system_files import SystemFiles
from stages.settings.scoring import ScoreSettings
from stages.settings.training import Decoding
from stages.text.languages import is_unspaced
from stages.text.symbols import UNKNOWN
from stages.text.unknown import UnkReplace

UNKNOWN_WORDS: dict[UnkReplace, str] = {
    "none": f"left as {UNKNOWN}",
    "copy": "replaced after training by the source word attended to most",
    "lexical": "replaced after training by the lexicon's best translation of the source word attended to most, "
    "or by that word",
    "lexical_lower": "replaced after training by the lexicon's best translation of the source word attended to most "
    "if that begins in lower case, or by that word",
}
"""How the recipe says it. Training chooses its checkpoint with unknown words left as they are."""
WITHOUT_ATTENTION = f"{UNKNOWN_WORDS['none']}, for without attention nothing says what to put in their place"

V11B = "mteval-v11b: lower case, its own tokenisation, length of the shortest reference, no smoothing"
V11B_DOES_NOT_APPLY = "mteval-v11b does not apply: it parts words at blanks and ASCII's marks, which this text lacks"
UNSPACED_INPUT = "running text without blanks; forms of characters that the corpus stage folds are folded in both"


def recipe(system: SystemFiles, settings: ScoreSettings, decoding: Decoding) -> dict[str, Any]:
    """What every number of the scores depends on beside the system."""
    text, gold_sentences = system.text, len(system.golds)
    characters = settings.detokenise and is_unspaced(text.target)
    references = len(system.references[text.tests[0]][0])
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
        f"at most {decoding.max_len_a:g} S + {decoding.max_len_b} pieces, S: those of the source, eos too",
        "bleu": bleu.signature(settings.bleu_tokenize, lowercase=True, references=references),
        "bleu_cased": bleu.signature(settings.bleu_tokenize, lowercase=False, references=references),
        "bleu_v11b": V11B_DOES_NOT_APPLY if characters else V11B,
        "chrf": chrf.signature(references),
        "ter": ter.signature(settings.detokenise, references, characters),
        "bleu_input": UNSPACED_INPUT if characters else "detokenised (Moses)" if settings.detokenise else "tokens",
        "bleu1": "brevity penalty times 1-gram precision, both as mteval-v11b counts (its cumulative score)",
        "unknown_words": WITHOUT_ATTENTION if _without_attention(system) else UNKNOWN_WORDS[settings.unk_replace],
        "no_unk": "BLEU of the sentences without an unknown piece in the source and in the set's own translation, "
        "translated with unknown words forbidden; BLEU with unknown words kept counts them as wrong words",
        "bleu_by_length": "sentences by words of the source",
        "perplexity": "dev references, forced, per piece, end of sentence included, over the whole vocabulary",
        "alignment": alignment if gold_sentences else "no gold set",
        "rot": "source words of all classes and of each, case-folded, without end of sentence",
        "attention_entropy": "nats, mean over the words of the system's translation",
        "eos_aligned": "dev, of the translations that were not cut off",
        "tags": {
            language: f"text: {about.tagger}; translations: {about.tags_of_new_text}" if about.tagger else about.why
            for language, about in system.tagged_by.items()
        },
        "transform": "words that the lexicon knows a translation of, by falling frequency; nearest by ||W E_x - E_y||",
        "repeated_phrases": "total over the test set, at least 4 words, case-folded",
        "measured_with": {name: version(name) for name in ("sacrebleu", "sacremoses", "numpy")},
    }


def _without_attention(system: SystemFiles) -> bool:
    """Whether it has unknown words, and nothing to replace them by."""
    return any(one.unknown and one.attention is None for decoded in system.decoded.values() for one in decoded)
