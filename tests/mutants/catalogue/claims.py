"""What a study says of the papers' claims."""

from ..mutant import mutants

FOLDER, TESTS = "stages/reporting/claims", "tests/stages/reporting/claims"

MUTANTS = (
    *mutants(
        "stages",
        f"{FOLDER}/judge.py",
        f"{TESTS}/test_judge.py",
        {
            "one seed is enough for a verdict": ("    if seeds < 2:\n", "    if seeds < 1:\n"),
            "the opponent is added": ("[weight * one.values for", "[one.values for"),
            "the verdict of the opposite claim": ("verdict(both, claim.sign,", "verdict(both, -claim.sign,"),
            "SMT is counted with the others": ("counted_apart(one.claim.claim.ours.weights) == part", "True"),
            "a part of a plan is read": ("if plan and unfinished(", "if False and unfinished("),
            "bases cost nothing": ("        while line[-1] in fine_tuned:\n", "        while False:\n"),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/spreads.py",
        f"{TESTS}/test_judge.py",
        {
            "every system is a training of its own": ("(_root(variant, fine_tuned), {})", "(variant, {})"),
            "runs of one seed always belong together": ("(_root(variant, fine_tuned), {})", '("", {})'),
            "fine-tuned systems are in the pool": ("name not in fine_tuned and name not in", "name not in"),
            "SMT has the spread of seeds": ("        if variant not in STATISTICAL:\n", "        if True:\n"),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/testable.py",
        f"{TESTS}/test_testable.py",
        {
            "no ceiling": ("100 - control >= gain", "True"),
            "case is counted anywhere": ("if lowercase and claim", "if False and claim"),
            "one system far off is enough": ("min(rates) <= FAR", "max(rates) <= FAR"),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/plans.py",
        f"{TESTS}/test_plans.py",
        {
            "a plan is of any study": ("if set(plan.studies) & set(studies) and", "if"),
            "a plan is for whatever its systems are in": ("systems <= own and", "systems & own and"),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/contrasts.py",
        f"{TESTS}/test_summary.py",
        {"an opposite is another contrast": ("(1 if found[0][1] > 0 else -1)", "1")},
    ),
    *mutants(
        "stages",
        f"{FOLDER}/counts.py",
        f"{TESTS}/test_judge.py",
        {
            "test sets are added": (" share * sum((found", " sum((found"),
            "sentences of any length": ("return (lengths >= low) & (", "return (lengths >= 0) & ("),
            "two sentences are a test set": ("LEAST = 20\n", "LEAST = 2\n"),
            "effects stand at other sentences": ("effects[:, chosen] =", "effects[:, : chosen.sum()] ="),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/claims.py",
        f"{TESTS}/test_claims.py",
        {
            "a sign of its own": ("if (difference > 0) != (SIGNS", "if False and (SIGNS"),
            "controls are added": ("(self.gains_over.get(variant), -sign)", "(self.gains_over.get(variant), sign)"),
        },
    ),
)
