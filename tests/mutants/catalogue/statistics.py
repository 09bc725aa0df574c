"""Which differences are more than chance."""

from ..mutant import mutants

FOLDER, TESTS = "stages/statistics", "tests/stages/statistics"

MUTANTS = (
    *mutants("stages", f"{FOLDER}/multiple.py", f"{TESTS}/test_multiple.py", {
        "Bonferroni": ("np.arange(len(order), 0, -1) * p[order]", "len(order) * p[order]"),
        "no correction": ("np.arange(len(order), 0, -1) * p[order]", "p[order]"),
        "adjusted p may fall": ("np.maximum.accumulate(", "("),
        "the rank is left out of the false discovery rate":
            ("len(p) / np.arange(len(p), 0, -1) * p[order]", "len(p) * p[order]"),
        "p above 1": ("np.minimum(1, np.maximum", "np.minimum(9, np.maximum"),
        "what is undefined counts as a test": ("tests = np.flatnonzero(~np.isnan(p))", "tests = np.arange(len(p))"),
    }),
    *mutants("stages", f"{FOLDER}/seeds.py", f"{TESTS}/test_seeds.py", {
        "one variance": (
            "mine, theirs = system.sd**2 / system.n, opponent.sd**2 / opponent.n",
            "mine = theirs = system.sd**2 / system.n",
        ),
        "the deviation instead of its square": ("system.sd**2 / system.n,", "system.sd / system.n,"),
        "degrees of freedom of Student": (
            "df = (mine + theirs) ** 2 / (mine**2 / (system.n - 1) + theirs**2 / (opponent.n - 1))",
            "df = system.n + opponent.n - 2",
        ),
        "without spread they are equal": ("return float(system.mean == opponent.mean)", "return 1.0"),
        "one seed is enough": ('        return "one seed: unknown"\n', '        return "beyond seed noise"\n'),
        "at the level is inside": ("if p <= level else", "if p < level else"),
        "one-sided": ("return 2 * float(stdtr(", "return float(stdtr("),
    }),
    *mutants("stages", f"{FOLDER}/sign_test.py", f"{TESTS}/test_sign_test.py", {
        "one-sided": ("2 * float(bdtr(", "1 * float(bdtr("),
        "without the observed count": ("bdtr(min(better, worse),", "bdtr(min(better, worse) - 1,"),
        "the other side": ("bdtr(min(better, worse),", "bdtr(max(better, worse) - 1,"),
        "ties are better": ("change > SAME)), int", "change > -SAME)), int"),
        "better is worse": ("[total + (new - old) for total", "[total + (old - new) for total"),
    }),
    *mutants("stages", f"{FOLDER}/resampling.py", f"{TESTS}/test_resampling.py {TESTS}/test_against_sacrebleu.py", {
        "p without the observed one": ("(1 + int(np.count_nonzero(", "(0 + int(np.count_nonzero("),
        "ties count against chance": ("abs(observed) - SAME)))", "abs(observed) + SAME)))"),
        "the bootstrap is not centred": ("p = _p(size - size.mean(), observed)", "p = _p(size, observed)"),
        "an interval of 90 %": ("CONFIDENCE = 0.95", "CONFIDENCE = 0.9"),
        "opponent minus system": (
            "return float(values(system, value).mean() - values(opponent, value).mean())",
            "return float(values(opponent, value).mean() - values(system, value).mean())",
        ),
        "one side is not swapped":
            ("right = [w[:, second] - s[:, second] + s[:, first] for", "right = [w[:, second] for"),
        "sentences are swapped seldom":
            ("random.integers(2, size=(batch, sentences), dtype=bool)", "(random.random((batch, sentences)) < 0.1)"),
        "every sentence is drawn once": (
            "np.bincount(drawn.ravel(), minlength=batch * sentences).reshape(batch, sentences)",
            "np.ones((batch, sentences))",
        ),
        "only the first seed": (
            "samples = np.concatenate([value(*_totals(weights, groups)).mean(-1)",
            "samples = np.concatenate([value(*_totals(weights, groups))[..., 0]",
        ),
    }),
    *mutants("stages", f"{FOLDER}/opponents.py", f"{TESTS}/test_opponents.py", {
        "corrected over nobody": (
            "holm(np.array([randomisation[pair] for pair in family])).tolist()",
            "[randomisation[pair] for pair in family]",
        ),
        "marks by the bootstrap": ("p_randomisation=randomisation[pair],", "p_randomisation=bootstrap[pair].p,"),
        "a system against itself": ("for name in systems if name != opponent]", "for name in systems]"),
    }),
    *mutants("stages", f"{FOLDER}/crossed.py", f"{TESTS}/test_crossed.py {TESTS}/test_coverage.py", {
        "trainings are no chance": ("of.sentences + of.seeds - of.interaction, of", "of.sentences, of"),
        "sentences are no chance": ("of.sentences + of.seeds - of.interaction, of", "of.seeds, of"),
        "the interaction counts twice": ("of.sentences + of.seeds - of.interaction,", "of.sentences + of.seeds,"),
        "the normal quantile":
            ("stdtrit(degrees_of_freedom(of), (1 + confidence) / 2)", "stdtrit(1e9, (1 + confidence) / 2)"),
        "the variance of a run instead of their mean":
            ("Spread(one.variance / n, one.df", "Spread(one.variance, one.df"),
        "sentences of one run": ("block.effects.mean(-2) for", "block.effects[..., 0, :] for"),
        "effects are not centred": ("(effects - effects.mean())[None]", "effects[None]"),
        "one sentence is enough": ("    if number < 2:\n", "    if number < 1:\n"),
        "one run is enough": ("block.values.shape[-1] < 2 for", "block.values.shape[-1] < 1 for"),
        "one-sided":
            ("stdtrit(degrees_of_freedom(of), (1 + confidence) / 2)", "stdtrit(degrees_of_freedom(of), confidence)"),
        "one estimate counts twice": ("if not one.pooled]", "if True]"),
    }),
    *mutants("stages", f"{FOLDER}/seed_spread.py", f"{TESTS}/test_seed_spread.py", {
        "no outlier is left out": ("if chances[least] >= LEVEL / len(members):", "if True:"),
        "without Bonferroni's correction": (">= LEVEL / len(members)", ">= LEVEL"),
        "every system has the pool's": ("return own if _chance(own, others) < LEVEL else", "return"),
        "a system is one of the others": ("    if member:\n", "    if False:\n"),
        "systems weigh alike": (
            "sum(one.df * one.variance for one in systems) / df",
            "sum(one.variance for one in systems) / len(systems)",
        ),
        "one system is a pool": ("    if len(systems) < 2:\n", "    if len(systems) < 1:\n"),
    }),
    *mutants("stages", f"{FOLDER}/deciding.py", f"{TESTS}/test_deciding.py", {
        "the other side agrees": ("(of.wide.low > 0) != (claimed > 0):", "(of.wide.low > 0) == (claimed > 0):"),
        "an interval with 0 decides": ("not of.wide.low <= 0 <= of.wide.high:", "not of.wide.low == 0:"),
        "no difference by the wide interval": ("if below(of.narrow, margin):", "if below(of.wide, margin):"),
        "one side within the margin is enough": ("< of.low and of.high <", "< of.low or of.high <"),
        "the nearer limit is the most": ("of.high if printed > 0 else -of.low", "of.low if printed > 0 else -of.high"),
        "a larger gain is excluded": ("if abs(printed) > most", "if abs(printed) < most"),
        "half the studies are enough": ("POWER = 0.80\n", "POWER = 0.50\n"),
        "any number of seeds is advice": ("= 20, 100_000\n", "= 2000, 100_000\n"),
        "more seeds, the same interaction": (
            "own, rest = max(of.seeds - of.interaction, 0) / more, of.interaction / more",
            "own, rest = max(of.seeds - of.interaction, 0) / more, of.interaction",
        ),
        "one more than needed": ("    return high\n", "    return high + 1\n"),
    }),
    *mutants("stages", f"{FOLDER}/mean_of_corpora.py", f"{TESTS}/test_mean_of_corpora.py", {
        "half widths are averaged": ("math.hypot(*(one.interval.high", "sum((one.interval.high"),
        "limits change sides": ("Interval(mean - below, mean + above)", "Interval(mean - above, mean + below)"),
        "as wide as one": ("- one.difference for one in of)) / len(of)", "- one.difference for one in of))"),
        "one is a mean": (
            '    if len(of) < 2:\n        raise ValueError("a mean',
            '    if len(of) < 1:\n        raise ValueError("a mean',
        ),
        "corpora weigh alike in Q": ("1 / error**2)", "1.0)"),
        "as many degrees of freedom as corpora": ("chdtrc(len(of) - 1, q)", "chdtrc(len(of), q)"),
    }),
)  # fmt: skip
