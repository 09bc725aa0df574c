"""Which study speaks for which text in a mean, as docs/claims.md says in "Several corpora"."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from stages.reporting.overview.study import Study


def together(studies: Iterable[Study]) -> list[list[Study]]:
    """The studies that have a test set in common, in whatever direction."""
    found: list[tuple[set[Any], list[Study]]] = []
    for study in studies:
        data = study.document["recipe"]["data"]
        tests = {(name, *sorted(data["sets"][name]["tokens"].values())) for name in data["tests"]}
        same = [one for one in found if one[0] & tests]
        found = [one for one in found if not one[0] & tests]
        found.append((tests.union(*(of for of, _ in same)), [*(one for _, those in same for one in those), study]))
    return [those for _, those in found]


def rank(study: Study) -> tuple[int, int]:
    return len(study.document["recipe"]["seeds"]), len(study.document["systems"])


def speaking(claim: str, studies: Iterable[Study]) -> list[Study]:
    """For each text: of the direction with the most systems the study with the most seeds."""
    found = []
    for those in together(studies):
        directions: dict[str, list[Study]] = defaultdict(list)
        for study in those:
            directions[study.document["recipe"]["direction"]].append(study)
        largest_first = sorted(directions.values(), key=lambda of: -max(rank(one)[1] for one in of))
        told = [[one for one in of if claim in one.verdicts] for of in largest_first]
        found += [max(of, key=rank) for of in told if of][:1]
    return found
