"""What a search may do beside its model, models that systems share, and how links are read out of a model."""

from ..mutant import mutants

FOLDER, TESTS = "stages/translating", "tests/stages/translating"
PENALTIES, CONTROL, TUNING = f"{TESTS}/test_penalties.py", f"{TESTS}/test_control.py", f"{TESTS}/test_tuning.py"
REPEATS = f"{CONTROL} -k 'n_gram or repeats or forbidden or stays'"

MUTANTS = (
    *mutants("stages", f"{FOLDER}/penalties.py", PENALTIES, {
        "the length penalty begins at no piece": ("((5 + n) / 6)", "((5 + n) / 5)"),
        "the end of the source must be covered": ("one.attention[:, :-1].double()", "one.attention.double()"),
        "attention above 1 is rewarded": (".clamp(LEAST, 1)", ".clamp(min=LEAST)"),
        "of equals the last": ("key=lambda k: -scores[k])", "key=lambda k: (-scores[k], -k))"),
    }),
    *mutants("stages", f"{FOLDER}/tuning.py", TUNING, {
        "the values that translate dev worst": ("return max(zip(", "return min(zip("),
        "of equals the last": (
            "max(zip(values, tried, strict=True), key",
            "max(reversed([*zip(values, tried, strict=True)]), key",
        ),
        "dev may repeat n-grams": ('"tuning on dev", 0.0, values[0])', '"tuning on dev", 0.0, Control())'),
        "the chosen control may repeat n-grams":
            ("Control(alpha, beta, given.no_repeat_ngram)", "Control(alpha, beta)"),
    }),
    *mutants("stages", f"{FOLDER}/beam.py", REPEATS, {
        "n-grams of the room for pieces to come": ("tokens[:, : step + 1], lprobs", "tokens, lprobs"),
        "the newest piece is not seen": ("tokens[:, : step + 1], lprobs", "tokens[:, :step], lprobs"),
        "n-grams are a piece longer": ("super().__init__(order, ", "super().__init__(order + 1, "),
        "nothing is forbidden": ("NoRepeats(no_repeat_ngram) if no_repeat_ngram else None", "None"),
    }),
    *mutants("stages", f"{FOLDER}/decoding.py", f"{CONTROL} {TUNING}", {
        "the coverage penalty alone ranks nothing": ("bool(self.alpha or self.beta)", "bool(self.alpha)"),
        "penalties rank what is wanted alone": ("wanted = None if control.ranks else best", "wanted = best"),
        "the score before the penalties": ("one.decoded._replace(score=score) for", "one.decoded for"),
        "without <unk> n-grams may repeat": ("unk_penalty=math.inf, control=control)", "unk_penalty=math.inf)"),
        "an ensemble adds probabilities": ("logsumexp(0) - math.log(len(each))", "logsumexp(0)"),
        "an ensemble has its first model's attention": ("torch.stack(attention).mean(0)", "attention[0]"),
    }),
    *mutants("stages", "stages/share.py", "tests/stages/test_share.py", {
        "every ensemble begins with the first seed":
            ("seeds[(place + k) % len(seeds)]", "seeds[k % len(seeds)]"),
        "an ensemble has one model's parameters": ('record["parameters"] * ensemble', 'record["parameters"]'),
        "the training's time is counted again": (", **dict.fromkeys(OF_THE_TRAINING)}", "}"),
        "a record in the name of the base": ('more = {"variant": variant, ', "more = {"),
    }),
    *mutants("stages", f"{FOLDER}/read_outs.py", f"{TESTS}/test_read_outs.py", {
        "gradients without input": ("(gradient * kept[0].detach()).sum(2)", "gradient.sum(2)"),
        "gradients with their sign": (
            "np.abs(_words((gradient * kept[0].detach()).sum(2), source, target))",
            "_words((gradient * kept[0].detach()).sum(2), source, target)",
        ),
        "the gradient of the whole translation": ("found.diagonal().sum(), kept", "found.sum(), kept"),
        "erasure is what is gained": ("(found[0] - found[1:]).T", "(found[1:] - found[0]).T"),
        "a piece of a word is erased": ("torch.tensor(starts), right=True)", "torch.tensor(starts), right=False)"),
        "look-ups of the target are changed too": ("        if changed:\n", "        if not True:\n"),
        "heads of the last layer": (", alignment_layer=layer)", ")"),
    }),
    *mutants("stages", "stages/reporting/given_metrics.py", "tests/stages/reporting/test_given_metrics.py", {
        "the sum of the sentences": ("[test].mean()) if variant", "[test].sum()) if variant"),
        "a resampled sentence counts twice": ('.sentences": 1.0}', '.sentences": 2.0}'),
        "higher is always better": ("signature, BETTER[better], scores)", 'signature, "high", scores)'),
        "the first set alone is averaged": ("average(list(of.values()))", "average(list(of.values())[:1])"),
        "infinite scores": ("if not math.isfinite(number)", "if math.isnan(number)"),
        "one set's scores for all": (
            "[{test: np.array(found[name, seed, test]) for test in",
            "[{test: np.array(found[name, seed, text.tests[0]]) for test in",
        ),
    }),
)  # fmt: skip
