"""Mi et al. 2016, candidate lists."""

from ..mutant import mutants

FILES = "tests/fairseq_plugins/core/test_candidates.py tests/fairseq_plugins/core/test_candidate_table.py"

MUTANTS = (
    *mutants("lvnmt", "fairseq_plugins/core/candidates.py", FILES, {
        "the phrase table is not looked at": ("allowed[rows, tokens] = True", "allowed[rows[:0], tokens[:0]] = True"),
        "words of the table alone, no phrases": ("for length in range(ids.shape[1]):", "for length in range(1):"),
        "reference words are no candidates":
            ("allowed.scatter_(1, words, True)", "allowed.scatter_(1, words[:, :0], True)"),
        "the candidates of the n-gram before": (
            "torch.where(self.keys[place] == key, place + 1, -1)",
            "torch.where(self.keys[place] == key, place.clamp(min=1), -1)",
        ),
        "a phrase need not be the table's": ("torch.where(self.keys[place] == key, place + 1, -1)", "place + 1"),
        "frequent words are limited like candidates": ("[: most if ngram else None]", "[:most]"),
        "all candidates of an n-gram": ("[: most if ngram else None]", ""),
        "phrases alone, no lexicon": ("for words in columns[1:])", "for words in columns[1:2])"),
    }),
    *mutants("lvnmt", "fairseq_plugins/core/decoder.py", f"{FILES} -k 'words or candidates or search or softmax'", {
        "the candidates are left out instead of the others":
            ("masked_fill_(~candidates.unsqueeze(1)", "masked_fill_(candidates.unsqueeze(1)"),
        "other words have a little probability": ('unsqueeze(1), float("-inf"))', "unsqueeze(1), -9.0)"),
        "beam search leaves the candidates to the sentence before": (
            "of_sentence = select_rows(of_sentence, new_order)",
            "of_sentence = (carried.candidates, select_rows(carried.memory, new_order))",
        ),
    }),
    *mutants("lvnmt", "fairseq_plugins/models/lvnmt.py", FILES, {
        "special symbols among the frequent words":
            ("target.nspecial + options.candidate_frequent", "options.candidate_frequent"),
        "one frequent word is missing": ("+ options.candidate_frequent]", "+ options.candidate_frequent - 1]"),
        "frequent by the dictionary": ("*table.pop((), []), *rest", "*rest"),
        "no table": ("CandidateLists(table, len(source)", "CandidateLists({}, len(source)"),
    }),
    *mutants("lvnmt", "fairseq_plugins/models/lvnmt.py", "tests/fairseq_plugins/models/test_defaults.py", {
        "1000 frequent words by default": ("option(2000,", "option(1000,"),
        "5 candidates of an n-gram by default": ('10, "candidates of', '5, "candidates of'),
    }),
    *mutants("lvnmt", "fairseq_plugins/kernels/eager.py",
        "tests/fairseq_plugins/kernels/test_kernels.py -k 'smoothed'", {
        "words that are no candidates take part in smoothing": ("if total.isinf().any():", "if False:"),
        "smoothing shared among all words": ("(words - 1).clamp(min=1)", "(0 * words + logits.shape[-1] - 1)"),
    }),
)  # fmt: skip
