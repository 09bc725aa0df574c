"""Of each claim that several corpora speak to, the mean of what they say."""

from collections.abc import Sequence
from typing import Any

from stages.reporting.claims.claims import all_claims
from stages.reporting.overview.study import Study
from stages.statistics import deciding
from stages.statistics.crossed import Interval
from stages.statistics.mean_of_corpora import Estimate, mean_of_corpora


def means(studies: Sequence[Study]) -> dict[str, dict[str, Any]]:
    """Of each claim that two corpora or more have a verdict on, by id: as a study's.

    Of studies on one corpus, which share trainings or at least sentences, the one with the most systems counts.
    """
    corpora: dict[str, Study] = {}
    for study in sorted(studies, key=lambda study: len(study.document["systems"])):
        corpora[study.document["recipe"]["data"]["corpus"]] = study
    found = {}
    for claim in all_claims():
        told = [study.verdicts[claim.id] for study in corpora.values() if claim.id in study.verdicts]
        if len(told) > 1:
            mean = mean_of_corpora([Estimate(one["difference"], Interval(one["low"], one["high"])) for one in told])
            about = {"difference": mean.difference, **mean.interval._asdict()}
            found[claim.id] = about | {"verdict": deciding.verdict(mean.interval, claim.sign)}
    return found
