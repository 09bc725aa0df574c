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

ABOUT = """# Reports

Which of the papers' claims hold, on every corpus that has been studied. A cell is the study's difference with its 95 %
interval over seeds and test sentences together, and what it says of the claim: agrees, disagrees or undecided (the
interval holds 0). Each study's page says more, and [docs/claims.md](../docs/claims.md) how it is found. Written by
`python -m stages.reporting.overview`.
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
        parts.append(markdown(_claims(telling)))
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


def _claims(studies: Sequence[Study]) -> Table:
    """A row for each claim that any study has a verdict on."""
    names = [study.name for study in studies]
    rows = []
    for claim in all_claims():
        found = [study.verdicts.get(claim.id) for study in studies]
        if any(found):
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
