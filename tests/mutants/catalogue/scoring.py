"""Which outputs of a system reach which measure, and what their counts add up to."""

from ..mutant import mutants

FOLDER = "stages/scoring"
KEYS = "tests/stages/scoring/test_every_key.py"
BOTH = f"{KEYS} tests/stages/scoring/test_system.py"

MUTANTS = (
    *mutants("stages", f"{FOLDER}/catalogue.py", KEYS, {
        "1-gram BLEU of the closest reference": (
            '"bleu1": Measure(("bleu_v11b",), lambda totals: bleu_v11b.of_totals(totals).bleu1,',
            '"bleu1": Measure(("bleu",), lambda totals: bleu.of_totals(totals).bleu1,',
        ),
        "1-gram BLEU of cased rows": ('"bleu1": Measure(("bleu_v11b",)', '"bleu1": Measure(("bleu_cased",)'),
        "(TER-BLEU)/2 of cased rows": ('Measure(("ter", "bleu"),', 'Measure(("ter", "bleu_cased"),'),
        "(TER-BLEU)/2 with v11b": ('Measure(("ter", "bleu"),', 'Measure(("ter", "bleu_v11b"),'),
        "BLEU of cased rows": ('"bleu": Measure(("bleu",)', '"bleu": Measure(("bleu_cased",)'),
        "cased BLEU of folded rows": ('"bleu_cased": Measure(("bleu_cased",)', '"bleu_cased": Measure(("bleu",)'),
        "v11b of sacrebleu's rows": ('"bleu_v11b": Measure(("bleu_v11b",)', '"bleu_v11b": Measure(("bleu",)'),
        "unknown words are replaced where they are kept":
            ('"bleu_unk_kept": Measure(("bleu_unk_kept",)', '"bleu_unk_kept": Measure(("bleu",)'),
        "No UNK counts sentences as lengths":
            ("bleu.of_totals(totals[..., 1:]).score", "bleu.of_totals(totals[..., :-1]).score"),
        "cut off are those that ended": ("lambda totals: totals[..., 2]", "lambda totals: totals[..., 1]"),
        "repeated phrases are 4-grams": ("repeated.of_totals(totals).phrases", "repeated.of_totals(totals).ngrams"),
        "renormalised AER is AER": ('"aer_renorm": Measure(("aer_renorm",)', '"aer_renorm": Measure(("aer",)'),
        "recall is precision": ("aer.of_totals(totals).recall", "aer.of_totals(totals).precision"),
    }),
    *mutants("stages", f"{FOLDER}/text_counts.py", KEYS, {
        "repeated phrases with case": (
            "repeated.statistics(fold(one.target, reading.language))",
            "repeated.statistics(one.target)",
        ),
        "unknown words kept, of cased rows":
            ('kept = rows["bleu"].copy()', 'kept = rows["bleu_cased"].copy()'),
        "unknown words kept, with case": (
            "kept[k] = bleu.statistics(*pair, insensitive)",
            "kept[k] = bleu.statistics(*pair, sensitive)",
        ),
        "folding does nothing": ("list(map(fold_case(language), words))", "list(words)"),
        "unknown words are measured as they are": (
            "known = known_words(translations, reading)",
            "known = list(translations)",
        ),
        "No UNK with case": (
            "scorer = bleu.scorer(reading.settings.bleu_tokenize, lowercase=True)",
            "scorer = bleu.scorer(reading.settings.bleu_tokenize, lowercase=False)",
        ),
        "lengths of translations for those of sources": ("[[len(one.source)] for one", "[[len(one.target)] for one"),
        "perplexity without the end of sentence":
            ("perplexity.statistics(one.forced)", "perplexity.statistics(one.forced[:-1])"),
    }),
    *mutants("stages", f"{FOLDER}/attention_counts.py", KEYS, {
        "ROT with case": (
            "rot.repeats_per_word(fold(one.target, language), linked",
            "rot.repeats_per_word(one.target, linked",
        ),
        "ROT with eos moved": ('strongest(one.word_weights, "drop") for', 'strongest(one.word_weights, "renorm") for'),
        "entropy of the end of sentence too":
            ("entropy.statistics(one.word_weights)", "entropy.statistics(one.weights)"),
        "coverage by the end of sentence too":
            ("coverage.statistics(one.word_weights)", "coverage.statistics(one.weights)"),
        "every translation ended": ("len(one.weights) > len(one.target))", "True)"),
        "the confusion transposed":
            ("zip(target, source, best, strict=True)", "zip(source, target, best, strict=True)"),
        "soft errors with the end of sentence": ("attention[:, :-1], gold)", "attention, gold)"),
        "links above 0.3": ("THRESHOLD = 0.2", "THRESHOLD = 0.3"),
        "0.2 ignores the policy": ("*pair, THRESHOLD, settings.aer_eos)", '*pair, THRESHOLD, "renorm")'),
        "AER ignores the policy": ("_link_rows(pairs, settings.aer_eos)", '_link_rows(pairs, "renorm")'),
        "the renormalised AER drops": ('_link_rows(pairs, "renorm")', '_link_rows(pairs, "drop")'),
    }),
    *mutants("stages", f"{FOLDER}/vocabulary.py", KEYS, {
        "No UNK with unknown words in the reference": ("if all(sides)]", "if sides[0]]"),
        "what fills up a dictionary is known": ("if int(frequency) > 0:", "if True:"),
    }),
    *mutants("stages", f"{FOLDER}/system.py", KEYS, {
        "eos_aligned of the test set": ('        "eos_aligned": sets["dev"]["eos_aligned"],\n', ""),
        "the last test set is the first": ("**sets[text.tests[0]],", "**sets[text.tests[-1]],"),
        "perplexity of dev's own translations":
            ('probability_rows(system.forced["dev"])', 'probability_rows(system.decoded["dev"])'),
        "attention of unknown words as they are": (
            "        known, reading.language, system.classes[name], target, system.vocabulary\n",
            "        decoded, reading.language, system.classes[name], target, system.vocabulary\n",
        ),
    }),
    *mutants("stages", f"{FOLDER}/values.py", KEYS, {
        "BLEU by length of cased rows": ('aggregate(rows["bleu_unk_kept"], rows', 'aggregate(rows["bleu_cased"], rows'),
        "BLEU by length with words replaced": ('aggregate(rows["bleu_unk_kept"], rows', 'aggregate(rows["bleu"], rows'),
        "the mean of sentences": ("rows[group].sum(axis=0) for", "rows[group][:1].sum(axis=0) for"),
    }),
    *mutants("stages", f"{FOLDER}/inputs.py",
        "tests/stages/scoring/test_system.py tests/stages/scoring/test_word_measures.py", {
        "gold links are not turned round": ("list(map(reverse, ", "list(map(Gold._make, "),
        "the last translation of the lexicon":
            ("best.setdefault(columns[0], columns[1])", "best[columns[0]] = columns[1]"),
    }),
    *mutants("stages", "stages/files/references.py", "tests/stages/scoring/test_system.py", {
        "one reference": ("takewhile(Path.exists, paths)}", "takewhile(Path.exists, [next(paths)])}"),
    }),
    *mutants("stages", f"{FOLDER}/statistical.py", "tests/stages/phrase_based/test_smt.py -k measured", {
        "no AER of its aligner": ("if text.gold else None,", "if False else None,"),
        "the time it took is lost": ('if key == "wall_seconds" else None', "if False else None"),
    }),
    *mutants("stages", f"{FOLDER}/embedding_transform.py", "tests/stages/scoring/test_word_measures.py", {
        "the ten most frequent are all": ("for first in (MANY, FEW))", "for first in (FEW, 1))"),
    }),
    *mutants("stages", f"{FOLDER}/read_outs.py", "tests/stages/scoring/test_read_outs.py", {
        "the row of the word itself": ("one[shift : len(one) - 1 + shift]", "one[: len(one) - 1]"),
        "the reverse direction is not turned":
            ("(target, source) for source, target", "(source, target) for source, target"),
        "the union": ("[a & b for a, b in pairs]", "[a | b for a, b in pairs]"),
        "the worst head": ("return min(heads, key=rate)", "return max(heads, key=rate)"),
    }),
)  # fmt: skip
