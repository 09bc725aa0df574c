"""Settings of the score stage: the section `score` of a corpus in params.yaml."""

from typing import Literal

from stages.measures.links import EosPolicy
from stages.params import Settings


class ScoreSettings(Settings):
    """``corpora.<name>.score``: how translations and alignments of one corpus are measured.

    detokenise: turn the tokens back into running text (Moses rules of the target language) before BLEU; right where the
    references are running text, wrong where they are tokens.
    bleu_tokenize: sacrebleu's tokeniser; `none` compares tokens as they are.
    aer_eos: what `aer` does with a target word that attends most to the end of sentence: `drop` leaves it unaligned,
    `renorm` takes its strongest real word.
    """

    detokenise: bool
    bleu_tokenize: Literal["none", "13a", "intl", "zh", "char"]
    aer_eos: EosPolicy
