"""Measures of alignments and of attention."""

from ..mutant import mutants

FOLDER, TESTS = "stages/measures", "tests/stages/measures"
ALIGNED, ATTENTION = f"{TESTS}/test_alignment_measures.py", f"{TESTS}/test_attention_measures.py"

MUTANTS = (
    *mutants("stages", f"{FOLDER}/aer.py", ALIGNED, {
        "sure links count once": ("1 - ratio(links_sure + links_possible,", "1 - ratio(links_possible,"),
        "the accuracy": ("aer=100 * (1 - ratio(", "aer=100 * (0 + ratio("),
        "precision of sure links":
            ("precision=100 * ratio(links_possible, links)", "precision=100 * ratio(links_sure, links)"),
        "recall of possible links":
            ("recall=100 * ratio(links_sure, sure)", "recall=100 * ratio(links_possible, sure)"),
        "possible links are none of the possible":
            ("len(links & gold.possible))", "len(links & (gold.possible - gold.sure)))"),
    }),
    *mutants("stages", f"{FOLDER}/aer_floor.py", ALIGNED, {
        "every possible link is chosen": ("linked = len({t for _, t in gold.possible})", "linked = len(gold.possible)"),
        "only sure links are chosen": ("linked = len({t for _, t in gold.possible})", "linked = sure"),
    }),
    *mutants("stages", f"{FOLDER}/saer.py", ALIGNED, {
        "attention transposed": ("attention[targets, sources]", "attention[sources, targets]"),
        "the mass of the attention is 1 a sentence": ("float(attention.sum()), float(len", "1.0, float(len"),
        "sure links count once": ("ratio(attention_sure + attention_possible,", "ratio(attention_possible,"),
    }),
    *mutants("stages", f"{FOLDER}/threshold.py", ALIGNED, {
        "0.2 itself is a link": ("attention > threshold", "attention >= threshold"),
        "eos never competes": ("strongest(kept, eos)", 'strongest(kept, "renorm")'),
        "eos always competes": ("strongest(kept, eos)", 'strongest(kept, "drop")'),
        "gold are the sure links": ("len(gold.possible), len(links", "len(gold.sure), len(links"),
        "precision and recall exchanged":
            ("100 * ratio(both, links), 100 * ratio(both, gold)", "100 * ratio(both, gold), 100 * ratio(both, links)"),
        "F1 is half": ("100 * ratio(2 * both, links + gold)", "100 * ratio(both, links + gold)"),
        "no threshold": ("np.where(attention > threshold, attention, 0.0)", "attention"),
    }),
    *mutants("stages", f"{FOLDER}/hard_links.py", f"{TESTS}/test_word_attention.py", {
        "drop is renorm": ('if eos == "drop" else', 'if eos != "drop" else'),
        "the last of equals":
            ("best = compared.argmax(axis=1)", "best = compared.shape[1] - 1 - compared[:, ::-1].argmax(axis=1)"),
        "a row of zeros has a link": ("(best < words) & (compared.max(axis=1) > 0)", "best < words"),
        "links turned round": ("frozenset((s, t) for t, s in", "frozenset((t, s) for t, s in"),
    }),
    *mutants("stages", f"{FOLDER}/merge_attention.py", f"{TESTS}/test_word_attention.py", {
        "summed over target pieces too": ("return words / rows[:, None]", "return words"),
        "averaged over source pieces": ("return words / rows[:, None]", "return words / rows[:, None] / columns"),
    }),
    *mutants("stages", f"{FOLDER}/rot.py", ATTENTION, {
        "the length of the list": ("        if link in seen:\n", "        if True:\n"),
        "a repeat of any source word counts": (
            "        seen.add(link)\n",
            "        seen.add(link)\n        seen |= {(j, link[1]) for j in range(source_length)}\n",
        ),
        "eos is the last source word": ("        if link[0] == NO_LINK:\n            continue\n", ""),
        "per repeated word": ("repeats.sum(), len(repeats)", "repeats.sum(), (repeats > 0).sum()"),
        "nouns inside the vocabulary for those outside":
            ("nouns & ~inside, nouns & inside", "nouns & inside, nouns & ~inside"),
        "all classes are rest": ('name if name in CLASSES else "rest"', '"rest"'),
    }),
    *mutants("stages", f"{FOLDER}/eos.py", ATTENTION, {
        "the first step instead of the last": ("last = attention[-1]", "last = attention[0]"),
        "the last word before the end": ("last.argmax() == len(last) - 1", "last.argmax() == len(last) - 2"),
        "cut off translations ended": ("finished=0, cut_off=1", "finished=1, cut_off=1"),
    }),
    *mutants("stages", f"{FOLDER}/entropy.py", ATTENTION, {
        "in bits": ("np.abs(np.log(weights", "np.abs(np.log2(weights"),
        "rows are not normalised": (" / totals[totals > 0, None]", ""),
        "a row of zeros counts":
            ("float((weights * surprisal).sum()), len(weights)", "float((weights * surprisal).sum()), len(totals)"),
        "eos is no place to look at":
            ("totals = attention.sum(axis=1)", "attention = attention[:, :-1]\n    totals = attention.sum(axis=1)"),
    }),
    *mutants("stages", f"{FOLDER}/coverage.py", ATTENTION, {
        "eos has coverage": ("attention[:, :-1].sum(axis=0)", "attention.sum(axis=0)"),
        "of target words": ("attention[:, :-1].sum(axis=0)", "attention[:, :-1].sum(axis=1)"),
    }),
    *mutants("stages", f"{FOLDER}/confusion.py", ATTENTION, {
        "shares of the source classes": ("counts.sum(axis=-1, keepdims=True)", "counts.sum(axis=-2, keepdims=True)"),
        "proper nouns are others": ('"NR": "N",', '"NR": "OTHER",'),
        "words without source are left out": (
            "        counts[p, SOURCES.index(NONE) if j == NO_LINK else columns[j]] += 1\n",
            "        counts[p, columns[j] if j != NO_LINK else 0] += j != NO_LINK\n",
        ),
    }),
    *mutants("stages", f"{FOLDER}/nearest_precision.py",
        "tests/stages/translating/test_nearest_words.py -k 'precision or fifth or totals'", {
        "at 5 is at 4": ("best in nearest[:5]", "best in nearest[:4]"),
        "at 1 is at 2": ("best in nearest[:1]", "best in nearest[:2]"),
        "words that cannot be asked count": ("if word in best and best[word] in targets)", "if word in best)"),
        "the first are counted before who can be asked": ("islice(known, first)", "islice(known, max(0, first - 1))"),
    }),
    *mutants("stages", f"{FOLDER}/order.py", f"{TESTS}/test_order.py", {
        "words without a link count": ("best[best != NO_LINK]", "best[:]"),
        "words with the same source word are out of order": ("(steps < 0).sum()", "(steps <= 0).sum()"),
        "the share that does not": ("100 * ratio(kept,", "100 * ratio(turned,"),
    }),
    *mutants("stages", f"{FOLDER}/coverage_embeddings.py", f"{TESTS}/test_coverage_embeddings.py", {
        "what is gone": ("100 * ratio(sums.last, sums.first)", "100 - 100 * ratio(sums.last, sums.first)"),
        "squares of sums": ("(linked**2).sum()", "linked.sum() ** 2"),
        "a regression's slope": ("np.sqrt(np.maximum(of_first * of_linked, 0))", "of_linked"),
        "what rounding leaves is a variance": ("least = 1e-12 * sums.words", "least = 0.0 * sums.words"),
    }),
)  # fmt: skip
