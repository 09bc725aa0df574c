"""Beam search, forced decoding, and what is read of them."""

from ..mutant import mutants

FOLDER, TESTS = "stages/translating", "tests/stages/translating"
LIMITS, WITHOUT = f"{TESTS}/test_limits.py", f"{TESTS}/test_without_unk.py"
FORCED, FOUND = f"{TESTS}/test_forced_decoding.py", f"{TESTS}/test_decoding.py"

MUTANTS = (
    *mutants(
        "stages",
        f"{FOLDER}/beam.py",
        LIMITS,
        {
            "the limit is that of the batch": (
                "limited = self.limits[original_batch_idxs] <= step",
                "limited = self.limits.new_full((len(lprobs),), int(self.limits.max())) <= step",
            ),
            "one piece more than the limit": (
                "self.limits[original_batch_idxs] <= step",
                "self.limits[original_batch_idxs] < step",
            ),
            "at the limit anything may come": ("if any(self.at_limit):", "if False:"),
            "at the limit a sentence goes on": (
                "return finished or self.search.at_limit[unfin_idx]",
                "return finished",
            ),
            "the end of sentence does not count in S": (
                "decoding.max_len_a * (pieces + 1)",
                "decoding.max_len_a * pieces",
            ),
            "no constant in the limit": (" + decoding.max_len_b)\n    return", ")\n    return"),
            "the model counts without end": ("min(allowed, model.max_decoder_positions() - 1)", "allowed"),
            "a translation may be empty": ("return max(1, min(", "return max(0, min("),
            "the penalty on length is ignored": ("len_penalty=decoding.length_penalty,", "len_penalty=1.0,"),
            "the beam is wider": ("beam_size=decoding.beam,", "beam_size=decoding.beam + 1,"),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/beam.py",
        WITHOUT,
        {
            "<unk> is allowed where it is forbidden": ("unk_penalty=unk_penalty,", "unk_penalty=0.0,"),
            "<unk> never competes": ("self.competed.update(original_batch_idxs[unk].tolist())", "pass"),
            "<unk> competes at probability 0": (" & best.ne(-math.inf)).any(1)", ").any(1)"),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/decoding.py",
        f"{LIMITS} {FOUND}",
        {
            "the limit of another sentence": ("one, limits[row]) for one in", "one, limits[0]) for one in"),
            "the worst of the beam": ("for one in hypotheses[:best]]", "for one in hypotheses[::-1][:best]]"),
            "what was cut off ended": ("finished = len(tokens) <= limit", "finished = True"),
            "in the order of the batches": (
                "tuple(results[row][1:])) for row in range(len(sentences))]",
                "tuple(results[row][1:])) for row in results]",
            ),
            "attention on the end of sentence is lost": (
                ".T[:length, : len(source) + 1].float()",
                ".T[:length, : len(source)].float()",
            ),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/decoding.py",
        WITHOUT,
        {
            "no sentence is searched again": (
                "rows = [row for row, one in enumerate(searched) if one.unk_competed]",
                "rows = []",
            ),
            "<unk> costs a little": ("unk_penalty=math.inf)", "unk_penalty=1.0)"),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/decoding.py",
        FORCED,
        {
            "attention of the step before": (
                "attention[k, : len(target), : int(lengths[k])]",
                "attention[k].roll(1, 0)[: len(target), : int(lengths[k])]",
            ),
            "probabilities of the word before": (
                "gather(1, target.unsqueeze(1)).squeeze(1)",
                "gather(1, target.roll(1).unsqueeze(1)).squeeze(1)",
            ),
            "logits for probabilities": ("output.float().log_softmax(-1).cpu()", "output.float().cpu()"),
            "forced in the order of the batches": (
                "return [results[row] for row in range(len(sentences))]",
                "return list(results.values())",
            ),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/decoding.py",
        f"{TESTS}/test_words.py -k 'perplexity or candidates'",
        {
            "perplexity over the candidates": (
                "with torch.inference_mode(), all_words(system.model):",
                "with torch.inference_mode():",
            ),
            "the candidates are lost after forced decoding": (
                "            model.decoder.candidates = candidates\n",
                "            pass\n",
            ),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/translations.py",
        f"{TESTS}/test_translations.py",
        {
            "the end of sentence joins a broken word": (
                "source_starts = [*word_starts(source), len(source)]",
                "source_starts = word_starts(source)",
            ),
            "the row of the end of sentence is a word's": (
                "self.attention[: len(self.target)]",
                "self.attention",
            ),
            "the end of sentence is a word": (
                "source, target = source[:-1], target[:-1] if finished else target",
                "source, target = source[:-1], target",
            ),
            "its probability is lost": ("attention, positional)", "attention, positional[: len(target)])"),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/precision.py",
        "tests/stages/training/test_precision.py -k 'round or says_so'",
        {
            "decoding rounds as training does": (
                'with products(factors_of(decoding.precision, "decoding.precision")), constant_weights():',
                "with constant_weights():",
            ),
            "a machine that cannot round is silent": ("if reason := cannot_round():", "if reason := None:"),
        },
    ),
    *mutants(
        "stages",
        f"{FOLDER}/nearest_words.py",
        f"{TESTS}/test_nearest_words.py",
        {
            "the farthest words": ("largest=False", "largest=True"),
            "without the transform": ("terms[TERM].W(E_x[sources])", "E_x[sources]"),
            "the rarest words first": (
                "key=lambda word: -system.source_dictionary.count[word]",
                "key=lambda word: system.source_dictionary.count[word]",
            ),
            "beginnings of words are words": (
                "if dictionary.count[k] > 0 and not dictionary[k].endswith(CONTINUES)",
                "if dictionary.count[k] > 0",
            ),
        },
    ),
)
