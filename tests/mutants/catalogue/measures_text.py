"""Measures of translations."""

from ..mutant import mutants

FOLDER, TESTS = "stages/measures", "tests/stages/measures"
MTEVAL = f"{TESTS}/test_mteval.py {TESTS}/test_bleu_v11b.py"

MUTANTS = (
    *mutants("stages", f"{FOLDER}/bleu.py", f"{TESTS}/test_bleu.py {TESTS}/test_mteval.py", {
        "case is folded the other way round":
            ('lowercase=lowercase, smooth_method="none"', 'lowercase=not lowercase, smooth_method="none"'),
        "an order without a match counts whole": ("0.5 ** np.cumsum(", "1.0 ** np.cumsum("),
        "every order without a match counts half": ("np.cumsum(correct == 0, axis=-1)", "(correct == 0)"),
        "no brevity penalty": ("np.minimum(0, 1 - ratio(", "np.minimum(0, 0 * ratio("),
        "a reward for long translations": ("np.exp(np.minimum(0, 1 - ratio(", "np.exp(np.maximum(0, 1 - ratio("),
        "lengths in the penalty exchanged":
            ("1 - ratio(reference_length, system_length)", "1 - ratio(system_length, reference_length)"),
        "the arithmetic mean of the precisions":
            ("np.exp(np.log(precisions).mean(axis=-1))", "precisions.mean(axis=-1)"),
        "the individual 1-gram score has the penalty":
            ("return self.precisions[..., 0]", "return self.brevity_penalty * self.precisions[..., 0]"),
        "1-gram BLEU without the penalty":
            ("return self.brevity_penalty * self.bleu1_individual", "return self.bleu1_individual"),
        "1-gram BLEU of 2-grams": ("return self.precisions[..., 0]", "return self.precisions[..., 1]"),
        "the length ratio upside down": (
            "precisions, penalty, ratio(system_length, reference_length))",
            "precisions, penalty, ratio(reference_length, system_length))",
        ),
    }),
    *mutants("stages", f"{FOLDER}/bleu_v11b.py", MTEVAL, {
        "the closest reference": ("_SCORER)._replace(reference_length=shortest)", "_SCORER)"),
        "the longest reference": ("shortest = min(", "shortest = max("),
        "case counts": (".translate(_FOLD)", ""),
        "case is folded beyond A to Z": ("_TOKENISER(text).translate(_FOLD)", "_TOKENISER(text).lower()"),
        "the text is not tokenised": ("_TOKENISER(text).translate(_FOLD)", "text.translate(_FOLD)"),
        "smoothed as by sacrebleu": (
            "return bleu.combine(totals, np.asarray(totals, float)[..., 2 : 2 + bleu.ORDER])",
            "return bleu.of_totals(totals)",
        ),
    }),
    *mutants("stages", f"{FOLDER}/chrf.py", f"{TESTS}/test_translation_measures.py -k chrf", {
        "precision and recall weigh alike": ("BETA = CHRF.BETA", "BETA = 1"),
        "precision and recall exchanged": ("BETA**2 * precision + recall", "BETA**2 * recall + precision"),
        "the mean over all six orders": ("orders = counted.sum(axis=-1)", "orders = np.full(counted.shape[:-1], 6)"),
    }),
    *mutants("stages", f"{FOLDER}/ter.py", f"{TESTS}/test_ter.py", {
        "the reference with most edits": ("fewest = min(fewest,", "fewest = max(0 if fewest == math.inf else fewest,"),
        "the length of all references together": ("sum(map(len, many)) / len(many)", "sum(map(len, many))"),
        "shifts cost nothing": ("return shifts + distance.cost", "return distance.cost"),
        "no shifts": ("if gain <= 0 or", "if True or"),
        "edits per 1": ("return 100 * np.where(", "return np.where("),
        "only edits without a reference":
            ("ratio(edits, reference_words), edits > 0)", "ratio(edits, reference_words), 0)"),
    }),
    *mutants("stages", f"{FOLDER}/edit_distance.py", f"{TESTS}/test_ter.py", {
        "a substitution costs two": ("else corner + 1", "else corner + 2"),
        "a deletion costs two": ("cost = up + 1", "cost = up + 2"),
        "the beam is narrower":
            ("return max(0, diagonal - self._width),", "return max(0, diagonal - self._width // 2),"),
    }),
    *mutants("stages", f"{FOLDER}/shifts.py", f"{TESTS}/test_ter.py", {
        "spans of a word alone": ("range(1, min(LONGEST,", "range(1, min(1,"),
    }),
    *mutants("stages", f"{FOLDER}/ter_minus_bleu.py", f"{TESTS}/test_ter.py", {
        "TER plus BLEU": ("(ter_score - bleu_score) / 2", "(ter_score + bleu_score) / 2"),
        "BLEU minus TER": ("(ter_score - bleu_score) / 2", "(bleu_score - ter_score) / 2"),
        "not halved": ("(ter_score - bleu_score) / 2", "ter_score - bleu_score"),
    }),
    *mutants("stages", f"{FOLDER}/repeated.py", f"{TESTS}/test_repeated.py", {
        "three words are a phrase": ("MIN_LENGTH = 4", "MIN_LENGTH = 3"),
        "five words are a phrase": ("MIN_LENGTH = 4", "MIN_LENGTH = 5"),
        "the first occurrence counts too": ("sum(count - 1 for count", "sum(count for count"),
        "spans may overlap what they repeat": ("while ended + MIN_LENGTH <= position:", "while ended < position:"),
        "the shortest span": ("position += max(_common", "position += min(_common"),
        "a span repeats beyond its own beginning": ("while start + length < position and", "while"),
    }),
    *mutants("stages", f"{FOLDER}/length_buckets.py",
        f"{TESTS}/test_translation_measures.py -k 'length or degenerate'", {
        "10 words are in the second bucket": ('side="left"', 'side="right"'),
        "the mean of sentences": ("np.add.at(totals, buckets, rows)", "totals[buckets] = rows"),
    }),
    *mutants("stages", f"{FOLDER}/perplexity.py", f"{TESTS}/test_translation_measures.py -k perplexity", {
        "of a sentence, not of a token": ("np.exp(-ratio(log_probability, tokens))", "np.exp(-log_probability)"),
        "the last token does not count": ("len(log_probabilities))", "len(log_probabilities) - 1)"),
        "base 2": ("np.exp(-ratio(", "np.exp2(-ratio("),
    }),
)  # fmt: skip
