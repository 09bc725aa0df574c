"""The one line that the score stage prints about a system."""

from stages.scoring.values import Metrics


def summary_line(variant: str, seed: int | None, metrics: Metrics) -> str:
    """Its main figures; a value that does not apply is a dash."""

    def show(key: str, form: str = ".2f", unit: float = 1.0) -> str:
        value = metrics[key]
        return "–" if value is None else format(value / unit, form)

    return "  ".join(
        (
            f"{variant:<16}",
            f"seed {'–' if seed is None else seed}",
            f"BLEU {show('bleu')}",
            f"cased {show('bleu_cased')}",
            f"TER {show('ter')}",
            f"ppl {show('perplexity')}",
            f"AER {show('aer', '.1f')} (floor {show('aer_floor', '.1f')})",
            f"SAER {show('saer', '.1f')}",
            f"ROT {show('rot')}",
            f"rep {show('repeated_phrases', '.0f')}",
            f"{show('parameters', '.1f', 1e6)}M params",
            f"{show('train_tokens_per_second', ',.0f')} tok/s",
            f"{show('wall_seconds', ',.0f')} s",
        )
    )
