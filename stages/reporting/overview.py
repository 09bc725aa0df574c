"""`reports/README.md`: which of the papers' claims hold, over all studies that have a report.

    python -m stages.reporting.overview --reports reports

Made from every metrics.json there is, so that it says the same whoever writes it; the report stage writes it too.
"""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.main import run
from stages.files.records import read_record
from stages.reporting.claims.claims import all_claims
from stages.reporting.claims.judge import VERDICTS
from stages.reporting.claims.words import measure, paper_difference
from stages.reporting.hours import said
from stages.reporting.outputs import METRICS, PAGE
from stages.reporting.tables.markdown import markdown
from stages.reporting.tables.table import MISSING, Cell, Table
from stages.reporting.tables.table_files import write_text
from stages.reporting.tables.written import signed
from stages.statistics import deciding
from stages.statistics.crossed import Interval
from stages.statistics.mean_of_corpora import Estimate, mean_of_corpora

ABOUT = """# Reports

Which of the papers' claims hold, on every corpus that has been studied. A cell is the study's difference with its 95 %
interval over seeds and test sentences together, and what it says of the claim: agrees, disagrees or undecided (the
interval holds 0). Each study's page says more, and [docs/claims.md](../docs/claims.md) how it is found. Written by
`python -m stages.reporting.overview`.
"""
MEAN = "mean of the corpora"
TOGETHER = """*{heading}*: of a claim that several corpora speak to, the mean of their differences, each with the same
weight, with its interval ([docs/claims.md](../docs/claims.md#several-corpora)). Of {all} such claims it agrees with
{agrees}, disagrees with {disagrees} and leaves {undecided} undecided.
"""
OLD = "made before claims were judged: run it again"
OWN_SEEDS = """Intervals of {} are older, mostly wider: they know only the spread of the two compared systems' seeds
([docs/claims.md](../docs/claims.md#the-interval)).
"""


class Study(NamedTuple):
    """name: of its folder; claims: by id, as metrics.json has them, None in a report that has none yet."""

    name: str
    document: Mapping[str, Any]
    claims: Mapping[str, Mapping[str, Any]] | None

    @property
    def verdicts(self) -> dict[str, Mapping[str, Any]]:
        """The claims that have one."""
        return {name: one for name, one in (self.claims or {}).items() if one["verdict"] in VERDICTS}

    @property
    def own_seeds(self) -> bool:
        """Whether its intervals are from before the spread of the seeds was learnt from all systems of a study."""
        return any("df_seeds" not in one for one in self.verdicts.values())


def overview(reports: Path) -> str:
    """The page. Raises InputError if a metrics.json is damaged."""
    studies = [_read(path) for path in sorted(reports.glob(f"*/{METRICS}"))]
    telling = [study for study in studies if study.verdicts]
    parts = [ABOUT, "## Studies\n", markdown(_studies(studies)), "## Claims\n"]
    if telling:
        means = _means(telling)
        parts.append(markdown(_claims(telling, means)))
        if means:
            counted = {name: sum(one["verdict"] == name for one in means.values()) for name in VERDICTS}
            parts.append(TOGETHER.format(heading=MEAN, all=len(means), **counted))
        older = [study.name for study in telling if study.own_seeds]
        if older:
            parts.append(OWN_SEEDS.format(" and ".join(older)))
    else:
        parts.append("No study has a verdict yet: that takes two seeds at least.\n")
    return "\n".join(parts)


def write_overview(reports: Path) -> None:
    """To `reports/README.md`."""
    write_text(reports / PAGE, overview(reports))


def _read(path: Path) -> Study:
    document = read_record(path, ("systems", "recipe"))
    return Study(path.parent.name, document, document.get("claims"))


def _studies(studies: Sequence[Study]) -> Table:
    headings = ("Study", "direction", "train pairs", "systems", "seeds", *VERDICTS, "trainings")
    rows = []
    for study in studies:
        made, counted = study.document["recipe"], Counter(one["verdict"] for one in study.verdicts.values())
        verdicts = [str(counted[verdict]) if study.verdicts else MISSING for verdict in VERDICTS]
        cost = said(study.document["hours"]) if "hours" in study.document else OLD
        about = (made["direction"], f"{made['data']['sets']['train']['pairs']:,}", len(study.document["systems"]))
        cells = (*about, len(made["seeds"]), *verdicts, cost)
        rows.append((study.name, tuple(Cell(str(cell)) for cell in cells)))
    return Table(headings, tuple(rows), words=frozenset({"direction", "trainings"}))


def _means(studies: Sequence[Study]) -> dict[str, dict[str, Any]]:
    """Of each claim that two corpora or more have a verdict on, by id: as a study's.

    Of studies on one corpus, which share trainings or at least sentences, the one with the most systems counts.
    """
    corpora: dict[str, Study] = {}
    for study in sorted(studies, key=lambda study: len(study.document["systems"])):
        corpora[study.document["recipe"]["data"]["corpus"]] = study
    means = {}
    for claim in all_claims():
        found = [study.verdicts[claim.id] for study in corpora.values() if claim.id in study.verdicts]
        if len(found) > 1:
            mean = mean_of_corpora([Estimate(one["difference"], Interval(one["low"], one["high"])) for one in found])
            about = {"difference": mean.difference, **mean.interval._asdict()}
            means[claim.id] = about | {"verdict": deciding.verdict(mean.interval, claim.sign)}
    return means


def _claims(studies: Sequence[Study], means: Mapping[str, Mapping[str, Any]]) -> Table:
    """A row for each claim that any study has a verdict on."""
    names = [*(study.name for study in studies), *([MEAN] if means else [])]
    rows = []
    for claim in all_claims():
        found = [study.verdicts.get(claim.id) for study in studies]
        if any(found):
            found += [means.get(claim.id)] if means else []
            about = (f"{claim.paper}, {claim.claim.place}", measure(claim), paper_difference(claim))
            rows.append((claim.claim.says, tuple(Cell(text) for text in (*about, *map(_verdict, found)))))
    return Table(("Claim", "where", "measure", "Δ paper", *names), tuple(rows), words=frozenset({"where", "measure"}))


def _verdict(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return MISSING
    return f"{signed(found['difference'])} ({signed(found['low'])} to {signed(found['high'])}) {found['verdict']}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=Path, default=Path("reports"), help="folder of the reports")
    write_overview(parser.parse_args(arguments).reports)


if __name__ == "__main__":
    run(main)
