"""Settings of the phrase-based system and of Thot's aligners: the section `smt` of a corpus in params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from stages.settings.numbers import Share
from stages.settings.params import Settings

SMT_TITLES = {"smt": "Phrase-based SMT (Thot; stands for the papers' SMT systems)"}
"""Of the systems that a study lists as `smt`."""


class Aligner(Settings):
    """``corpora.<name>.smt.aligner``: IBM model 1, then an HMM that begins with its lexicon, in both directions.

    ibm1, hmm: iterations of EM.
    null_prior, lexical_smoothing, jump_smoothing: of the HMM: probability of no source word, and the shares of uniform
    distributions in those of words and of jumps.
    """

    ibm1: PositiveInt
    hmm: PositiveInt
    null_prior: Share
    lexical_smoothing: Share
    jump_smoothing: Share


class Decoder(Settings):
    """``corpora.<name>.smt.decoder``: options of Thot's stack decoder, in the order of its own -W, -A, -U, -E, -h, -S.

    phrase_translations: that are tried of a phrase; phrase_length: longest source phrase in words; skipped_words: that
    a phrase may jump over; search: Thot's option -E; heuristic: how what is not yet translated is estimated; stack:
    hypotheses that a stack holds.
    """

    phrase_translations: PositiveInt
    phrase_length: PositiveInt
    skipped_words: NonNegativeInt
    search: PositiveInt
    heuristic: Annotated[int, Field(ge=0, le=6)]
    stack: PositiveInt


class Tuning(Settings):
    """``corpora.<name>.smt.tuning``: minimum error rate training (Och 2003) on dev.

    sentences: of dev, evenly spread; null: all. stack: hypotheses that a stack holds meanwhile, as of the decoder.
    rounds: at most so many lists of translations; it ends when they hold no new translation.
    nbest: translations of a sentence that each round adds.
    restarts: random points from which each round also searches; directions: random lines beside the axes.
    """

    sentences: PositiveInt | None
    stack: PositiveInt
    rounds: NonNegativeInt
    nbest: PositiveInt
    restarts: NonNegativeInt
    directions: NonNegativeInt
    seed: NonNegativeInt


class SmtSettings(Settings):
    """``corpora.<name>.smt``: the phrase-based system.

    lm_order: words of an n-gram of the language model.
    links: whose word links phrases are taken from: `eflomal`, those of the wordalign stage, or `hmm`, of its own model.
    phrase_length: longest phrase in words, on either side; translations: kept for a source phrase, the most frequent.
    phrase_share: of a phrase's relative frequency in its probability; the rest is that of its words by the HMM.
    """

    lm_order: Annotated[int, Field(ge=1, le=5)]
    links: Literal["eflomal", "hmm"]
    phrase_length: PositiveInt
    translations: PositiveInt
    phrase_share: Annotated[float, Field(gt=0, lt=1)]
    aligner: Aligner
    decoder: Decoder
    tuning: Tuning
