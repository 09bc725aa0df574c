"""A test set, a dev set and a gold set, all different, in mixed case, and by hand what every measure of them is.

Unknown words are replaced by the source word that they look at. What is measured of the test set, case-folded:

    a b c d a b c d     references  a b c d x x x        a b c d a b c e
    d d                 (d D)       d d q                d e q q
    x x y               (cut off)   x q q q q q q q q    x y z w v
"""

import math

from tests.stages.scoring.toy_system import record, write_about, write_lines, write_records

SOURCES = ["ab c", "d e", "g h i j k l m n o p q"]
GERMAN = ["NN V", "NR DT", "CD AD NT" + 8 * " OTHER"]
ENGLISH = {
    **{"a": "NN", "b": "V", "c": "JJ", "d": "NR", "A": "CD", "B": "V", "C": "AD", "D": "DT"},
    **{"x": "NT", "X": "OTHER", "Y": "NN"},
    **dict.fromkeys("pqrstPQRST", "V"),
}
WORDS = ["a b c d A B C D", "d D", "x X Y"]
REFERENCES = [
    ["A b c d x x x", "d d q", "X q q q q q q q q"],
    ["a b c d a b c e", "d e q q", "x y z w v"],
]
NOTHING = [0.0] * 10
TEST = [
    # all but the last two words look at ab, those at c, the end of sentence at the source's
    record("a@@ b c", "a b c d A B C D", [[0.3, 0.4, 0.2, 0.1]] * 6 + [[0.1, 0.1, 0.7, 0.1]] * 2 + [[0, 0, 0, 1.0]]),
    # both words look at d, the end of sentence too
    record("d e", "<unk> D", [[0.6, 0.3, 0.1]] * 2 + [[0.5, 0.3, 0.2]]),
    # x and X look at g, Y at the source's end of sentence
    record(SOURCES[2], "x X Y", [[0.6, *NOTHING, 0.4]] * 2 + [[0.4, *NOTHING, 0.6]], finished=False),
]
WITHOUT_UNK = [{**record("a@@ b c", "a b c d A B C E", [[0.5, 0.5, 0, 0]] * 9), "row": 0}]

DEV = [
    record("a@@ b c", "p q r s t P Q R S T", [[0.5, 0.5, 0, 0]] * 5 + [[0, 0, 1.0, 0]] * 5 + [[0, 0, 0, 1.0]]),
    record("d e", "D D", [[0, 1.0, 0]] * 2 + [[0, 0.4, 0.6]]),
]
DEV_LOGS = [[-1.0, -2.0, -0.25], [-1.5, -0.25]]

COVERED = [{"first": [2, 1], "last": [0.5, 0]}, {"first": [1, 4], "last": [0.5, 1]}]

GOLD = [
    record("a@@ b c", "AB C", [[0.1, 0.15, 0.2, 0.1], [0.05, 0.05, 0.35, 0.55], [0.9, 0.1, 0, 0]]),
    record("d e", "D", [[0.15, 0.7, 0.15], [1.0, 0, 0]]),
]
"""AB looks at ab, which is sure, by .25; C at the end of sentence, and then at c, which is possible; D at e, which is
possible, instead of d, which is sure."""


def entropy(*weights: float) -> float:
    return -sum(weight * math.log(weight) for weight in weights)


def geometric(*precisions: float) -> float:
    return 100 * math.prod(precisions) ** (1 / len(precisions))


PRECISIONS = (11 / 13, 8 / 10, 5 / 7, 4 / 5)
CLOSEST, SHORTEST = math.exp(1 - 16 / 13), math.exp(1 - 15 / 13)  # 8 + 3 + 5 and 7 + 3 + 5 words of reference
BLEU, TER = CLOSEST * geometric(*PRECISIONS), 100 * 6 / 18  # 1 + 1 + 4 edits, 7.5 + 3.5 + 7 words

OF_TEST = {
    "bleu": BLEU,
    "bleu_cased": CLOSEST * geometric(8 / 13, 3 / 10, 2 / 7, 1 / 5),
    "bleu_v11b": SHORTEST * geometric(*PRECISIONS),
    "bleu_unk_kept": CLOSEST * geometric(10 / 13, 7 / 10, 5 / 7, 4 / 5),  # without one d and d d
    "bleu_no_unk": geometric(8 / 8, 7 / 7, 6 / 6, 5 / 5),  # of "a b c d a b c e"
    "no_unk_sentences": 1,
    "bleu1": SHORTEST * 100 * 11 / 13,
    "bleu1_individual": 100 * 11 / 13,
    "ter": TER,
    "ter_minus_bleu_half": (TER - BLEU) / 2,
    "brevity_penalty": CLOSEST,
    "length_ratio": 13 / 16,
    "repeated_phrases": 1,
    "repeated_ngrams": 1,
    "rot": 100 * 4 / 15,  # a and b of ab, d of d, x of g
    "rot_NN": 100 * 2 / 1,
    "rot_NR": 100 * 1 / 1,
    "rot_DT": 0,
    "rot_CD": 100 * 1 / 1,
    "rot_rest": 0,
    "attention_entropy": (8 * entropy(0.7, 0.2, 0.1) + 2 * entropy(0.6, 0.3, 0.1) + 3 * entropy(0.6, 0.4)) / 13,
    "eos_aligned": 100 * 1 / 2,
    "cut_off": 1,
}
BY_LENGTH = {
    "1-10": (math.exp(1 - 11 / 10) * geometric(8 / 10, 6 / 8, 5 / 6, 4 / 5), 2),  # as bleu_unk_kept
    "11-20": (0, 1),  # no 4-gram
}
COVERAGE = {"0.0-0.1": 10, "0.5-0.7": 1, "1.1-1.3": 1, "1.5-1.7": 1, "2.1+": 2}  # of 15 words
CONFUSION = {
    "N": {"N": 60, "CD": 20, "none": 20},
    "V": {"N": 100},
    "CD": {"N": 100},
    "JJ": {"N": 100},
    "AD": {"V": 100},
    "DT": {"N": 50, "V": 50},
    "OTHER": {"CD": 100},
}
OF_DEV = {
    "perplexity": math.exp(5 / 5),
    "coverage_left": 100 * 2 / 8,
    "coverage_fertility": -2 / math.sqrt(6 * 2),  # lengths 2 1 1 4 and target words 2 1 1 0
    "eos_aligned": 100.0,
    "cut_off": 0,
    "rot": 100 * 1 / 4,  # d of d
    "repeated_phrases": 1,
    "repeated_ngrams": 2,
}
OF_GOLD = {
    "aer": 100 * (1 - (1 + 2) / (2 + 2)),
    "align_precision": 100 * 2 / 2,
    "align_recall": 100 * 1 / 2,
    "aer_renorm": 100 * (1 - (1 + 3) / (3 + 2)),
    "saer": 100 * (1 - (0.4 + 1.45) / (1.75 + 2)),
    "align_precision_t02": 100 * 2 / 2,
    "align_recall_t02": 100 * 2 / 4,
    "align_f1_t02": 100 * 4 / 6,
    "aer_floor": 0,
}


def write_mixed_case(files):
    """Over the files of the toy system; the set `other` stays what it is there."""
    text, translations = files / "corpus", files / "translations"
    write_lines(text / "test.de", SOURCES)
    write_lines(text / "test.en", REFERENCES[0])
    for k, lines in enumerate(REFERENCES):
        write_lines(text / f"test.ref{k}.en", lines)
    write_lines(text / "gold.align", ["0-0 1?1", "0-0 1?0"])
    write_records(translations / "test.jsonl", TEST)
    write_records(translations / "test.no_unk.jsonl", WITHOUT_UNK)
    write_records(translations / "dev.jsonl", DEV)
    forced = [
        record("a@@ b c", "AB C", [[0.5, 0.5, 0, 0]] * 2 + [[0, 0, 0, 1.0]]),
        record("d e", "D", [[0, 1.0, 0], [0, 0, 1.0]]),
    ]
    write_records(
        translations / "dev.forced.jsonl",
        [{**one, "positional": logs} for one, logs in zip(forced, DEV_LOGS, strict=True)],
    )
    write_records(translations / "dev.coverage.jsonl", COVERED)
    write_lines(files / "wordalign" / "dev.gdfa", ["0-0 0-1 1-1", "0-0"])
    write_records(translations / "gold.forced.jsonl", GOLD)
    write_about(files / "tags", {"de": {"ab": "NN"}, "en": {**ENGLISH, "AB": "NN", "<unk>": "V"}})
    write_lines(files / "tags" / "test.de", GERMAN)
    for name in ("dev", "other"):
        write_lines(files / "tags" / f"{name}.de", ["NN V", "DT CD"])
