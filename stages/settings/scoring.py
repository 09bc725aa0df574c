"""Settings of the score stage: the section `score` of a corpus in params.yaml."""

from typing import Literal

from stages.settings.params import Settings
from stages.text.unknown import UnkReplace

EosPolicy = Literal["drop", "renorm"]
"""What becomes of a target word that attends most to the end of sentence, see `ScoreSettings.aer_eos`."""


class ScoreSettings(Settings):
    """``corpora.<name>.score``: how translations and alignments of one corpus are measured.

    detokenise: turn the tokens back into running text (Moses rules of the target language) before BLEU; right where the
    references are running text, wrong where they are tokens.
    bleu_tokenize: sacrebleu's tokeniser; `none` compares tokens as they are.
    aer_eos: what `aer` does with a target word that attends most to the end of sentence: `drop` leaves it unaligned,
    `renorm` takes its strongest real word.
    unk_replace: what stands in for an unknown word before anything is measured: `none` nothing, `copy` the source word
    it attends to, `lexical` that word's best translation in the statistical lexicon (a copy where it has none),
    `lexical_lower` the same only for source words in lower case, names being copied.
    """

    detokenise: bool
    bleu_tokenize: Literal["none", "13a", "intl", "zh", "char"]
    aer_eos: EosPolicy
    unk_replace: UnkReplace
