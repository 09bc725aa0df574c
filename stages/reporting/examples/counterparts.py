"""The system without attention that is shown, and the one that is the same but for it, by what params.yaml says."""

from math import inf
from typing import Any, NamedTuple

from fairseq_plugins import declarations
from stages.reporting.study_spec import StudySpec

WITHOUT, ADDITIVE = "no attention", "additive attention"
"""What the two call their families."""


class Pair(NamedTuple):
    without: str
    attending: str


def counterparts(spec: StudySpec) -> Pair | None:
    """Of the systems without attention the one that is trained on the longest sentences, and of those that add additive
    attention to it the one whose own settings differ in the fewest from its. The first of equals; None where the study
    lacks one of the two. Systems that build on others' models are not asked."""
    without, attending = _of_family(spec, WITHOUT), _of_family(spec, ADDITIVE)
    if not without or not attending:
        return None
    shown = max(without, key=lambda name: longest_trained(spec, name))
    return Pair(shown, min(attending, key=lambda name: _differing(_own(spec, shown), _own(spec, name))))


def longest_trained(spec: StudySpec, variant: str) -> float:
    """Words of the longest sentences that the system may be trained on, by the limits of its training (in pieces, of
    which a word has one at least) and of the text; infinite without any."""
    training = spec.recipes.get("training", {}) | _own(spec, variant)
    limits = (training.get("max_length"), spec.recipes.get("train_text", {}).get("max_length"))
    return min((limit for limit in limits if limit is not None), default=inf)


def _of_family(spec: StudySpec, family: str) -> list[str]:
    declared = {name: declarations.system(model.arch) for name, model in spec.models.items()}
    return [name for name, of in declared.items() if of and of.family == family and name not in spec.fine_tuned]


def _own(spec: StudySpec, variant: str) -> dict[str, Any]:
    """What the variant sets otherwise than the corpus does."""
    return spec.recipes.get("own_settings", {}).get(variant, {})


def _differing(one: dict[str, Any], other: dict[str, Any]) -> int:
    return sum(one.get(key) != other.get(key) for key in {*one, *other})
