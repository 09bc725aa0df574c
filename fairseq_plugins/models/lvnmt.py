"""LVNMT: RNNsearch* that knows many words and offers a few a sentence (Jean et al. 2015; Mi et al. 2016, Sec. 5.1)."""

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from fairseq_plugins.core.candidates import CandidateLists, Ngram, read_table
from fairseq_plugins.core.model import register
from fairseq_plugins.core.options import option, read_options
from fairseq_plugins.models.attnmt import Combination, CombinationOptions


@dataclass(frozen=True)
class CandidateOptions:
    """Which words are candidates (Mi et al. 2016: 2000 and 10).

    Choices:
        candidate_frequent: Mi: 2,000; Jean: 15,000 and more -> paper
        candidate_translations: Mi: 10; Jean: 10 or 20 -> paper, with eflomal's lexicon and phrases
    """

    candidate_frequent: int = option(2000, "the most frequent target words that are candidates of every sentence")
    candidate_translations: int = option(
        10, "candidates of one source n-gram by phrases, and of one word by the lexicon too"
    )
    candidate_table: str | None = option(None, "file of the candidates stage; unless given, frequent words alone")


@register("lvnmt")
class LVNMT(Combination):
    """e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a + the terms named);  p(y_i | y_<i, x) = softmax over V'(x) of o_i.

    RNNsearch*, or with ``base: rnnsearch`` (Jean et al. 2015) that, or with ``terms`` (Mi et al. 2016: coverage).

    All of o_i is computed and the rest of it set to -inf: the same probabilities as a product with the candidates' rows
    of W_o alone, which the papers compute to save time.

    Confidence: high.

    Family: large vocabulary.

    Written from: the paper, and LV_groundhog's code.

    Ours: a list for each sentence, none for a batch; eos and the unknown word are always in it.
    """

    own_options = (CombinationOptions, CandidateOptions)
    needs_terms = False

    @classmethod
    def build_model(cls, args: Namespace, task) -> "LVNMT":
        options = read_options(CandidateOptions, args)
        source, target = task.source_dictionary, task.target_dictionary
        table: dict[Ngram, list[int]] = {}
        if options.candidate_table is not None:
            table = read_table(Path(options.candidate_table), source, target, options.candidate_translations)
            args.candidate_table = None  # a checkpoint holds the table itself: what loads it needs no file
        specials, rest = range(target.nspecial), range(target.nspecial, len(target))
        ranked = dict.fromkeys([*specials, *table.pop((), []), *rest])  # without a table as the dictionary has them
        always = [*ranked][: target.nspecial + options.candidate_frequent]
        model = super().build_model(args, task)
        model.decoder.candidates = CandidateLists(table, len(source), len(target), always)
        return model
