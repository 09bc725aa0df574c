"""fairseq's beam search with a length limit for every sentence, which says where <unk> was ever a candidate."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.settings.training import Decoding

from fairseq.data import Dictionary
from fairseq.models import FairseqEncoderDecoderModel
from fairseq.ngram_repeat_block import NGramRepeatBlock
from fairseq.search import BeamSearch
from fairseq.sequence_generator import SequenceGenerator


def most_pieces(decoding: Decoding, pieces: int, model: FairseqEncoderDecoderModel) -> int:
    """The length limit of a translation, without its end of sentence: a S + b, and what the model can count to.

    Args:
        pieces: of the source, without the end of sentence, which counts in S.
    """
    allowed = int(decoding.max_len_a * (pieces + 1) + decoding.max_len_b)
    return max(1, min(allowed, model.max_decoder_positions() - 1))


class LimitedBeam(BeamSearch):
    """Each sentence may have as many pieces as its limit says, whatever the others of its batch may have.

    fairseq has one limit a batch, that of its width, so that a translation would depend on its companions.

    Attributes:
        competed: the sentences, by their id, with <unk> among a step's candidates. At -inf it is none: there it only
            fills up the places that the step has.
        at_limit: of the batch's sentences, whether nothing but eos may come.
    """

    def __init__(self, dictionary: Dictionary, limits: Tensor):
        """``limits (N,)``: the most pieces of each sentence, by its id."""
        super().__init__(dictionary)
        self.limits = limits
        self.competed: set[int] = set()
        self.at_limit: list[bool] = []

    def step(
        self, step: int, lprobs: Tensor, scores: Tensor | None, prev_output_tokens: Tensor | None = None,
        original_batch_idxs: Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        assert original_batch_idxs is not None  # the generator always says
        limited = self.limits[original_batch_idxs] <= step
        self.at_limit = limited.tolist()
        if any(self.at_limit):
            other = torch.arange(lprobs.shape[-1], device=lprobs.device).ne(self.eos)
            lprobs = lprobs.masked_fill(limited[:, None, None] & other, -math.inf)
        best, words, beams = super().step(step, lprobs, scores, prev_output_tokens, original_batch_idxs)
        unk = (words.eq(self.unk) & best.ne(-math.inf)).any(1)
        self.competed.update(original_batch_idxs[unk].tolist())
        return best, words, beams


class NoRepeats(NGramRepeatBlock):
    """fairseq's, for the pieces there are: it is given the room for those to come too, and finds no n-gram in that."""

    def __init__(self, order: int):
        super().__init__(order, use_extension=False)

    def forward(self, tokens: Tensor, lprobs: Tensor, bsz: int, beam_size: int, step: int) -> Tensor:
        return super().forward(tokens[:, : step + 1], lprobs, bsz, beam_size, step)


class LimitedGenerator(SequenceGenerator):
    """fairseq's, for a ``LimitedBeam``: a sentence at its limit is finished, as fairseq's own is at that of the batch.

    The batch's limit is that of its longest sentence, for ``a S + b`` grows with S. Of several models the probabilities
    are averaged, and the attention.
    """

    def __init__(self, models: Sequence[FairseqEncoderDecoderModel], decoding: Decoding, beam: LimitedBeam,
                 unk_penalty: float, dictionary: Dictionary, no_repeat_ngram: int):  # fmt: skip
        super().__init__(
            models, dictionary, beam_size=decoding.beam, max_len_a=decoding.max_len_a, max_len_b=decoding.max_len_b,
            len_penalty=decoding.length_penalty, unk_penalty=unk_penalty, search_strategy=beam,
        )  # fmt: skip
        self.repeat_ngram_blocker = NoRepeats(no_repeat_ngram) if no_repeat_ngram else None

    def is_finished(self, step: int, unfin_idx: int, max_len: int, finalized_sent_len: int, beam_size: int) -> bool:
        finished = super().is_finished(step, unfin_idx, max_len, finalized_sent_len, beam_size)
        return finished or self.search.at_limit[unfin_idx]
