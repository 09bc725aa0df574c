"""The scores of one system: the counts of every sentence of every set, and what they add up to."""

from typing import Any, NamedTuple

from stages.scoring.attention_counts import alignment_rows, attends, attention_rows, coverage_rows, link_rows
from stages.scoring.catalogue import Rows
from stages.scoring.embedding_transform import transform_metrics, transform_table
from stages.scoring.inputs import lengths
from stages.scoring.score_recipe import recipe
from stages.scoring.system_files import SystemFiles
from stages.scoring.text_counts import Reading, known_words, no_unk_rows, probability_rows, text_rows
from stages.scoring.values import lowest_aer, values
from stages.settings.scoring import ScoreSettings
from stages.settings.training import Decoding


class Scores(NamedTuple):
    """`values`: ready for JSON. By set: `rows`, the counts of every sentence, and `sentences`, how many there are."""

    values: dict[str, Any]
    rows: dict[str, Rows]
    sentences: dict[str, int]


def score(system: SystemFiles, settings: ScoreSettings, decoding: Decoding) -> Scores:
    """All measures of one system; `decoding`: how it translated, for the recipe."""
    text = system.text
    rows = {name: _set_rows(system, name, settings) for name in system.references}
    if "dev" in system.forced:
        rows["dev"] |= probability_rows(system.forced["dev"])
    if system.covered is not None:
        rows["dev"] |= coverage_rows(system.covered)
    if text.gold and system.links is not None:
        rows["gold"] = link_rows(system.links, system.golds) | {"source": lengths(text, "gold")}
    elif text.gold:
        aligned = alignment_rows(system.forced["gold"], system.golds, settings)
        rows["gold"] = aligned | {"source": lengths(text, "gold")}
    sets = {name: values(rows[name], "tests") for name in system.references}
    perplexity = values(rows["dev"], "dev")
    metrics = {
        **sets[text.tests[0]],
        "eos_aligned": sets["dev"]["eos_aligned"],
        **perplexity,
        f"perplexity_{text.source}-{text.target}": perplexity["perplexity"],
        **values(rows.get("gold", {}), "gold"),
        "aer_floor": lowest_aer(system.golds),
        **transform_metrics(system.transform, system.best),
        **system.cost,
    }
    scores = {
        "variant": system.variant,
        "seed": system.seed,
        "metrics": metrics,
        "tests": {name: sets[name] for name in text.tests},
        "dev": sets["dev"] | perplexity,
        "transform": transform_table(system.transform, system.best),
        "recipe": recipe(system, settings, decoding),
    }
    sentences = {name: len(of) for name, of in system.references.items()}
    return Scores(scores, rows, sentences | dict.fromkeys(text.gold_set, len(system.golds)))


def _set_rows(system: SystemFiles, name: str, settings: ScoreSettings) -> Rows:
    """Of the system's own translations of one set."""
    reading = Reading(settings, system.text.target, system.best)
    decoded, references = system.decoded[name], system.references[name]
    known = known_words(decoded, reading)
    target = None
    if system.tagger is not None and attends(known):
        target = system.tagger([one.target for one in known])
    rows = text_rows(decoded, references, reading) | attention_rows(
        known, reading.language, system.classes[name], target, system.vocabulary
    )
    if name in system.without_unk:
        rows |= no_unk_rows(system.without_unk[name], references, reading)
    return rows
