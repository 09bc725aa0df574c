"""The studies that have a report, as their metrics.json tell them."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.records import read_record
from stages.reporting.claims.judge import VERDICTS
from stages.reporting.outputs import METRICS


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


def read_studies(reports: Path) -> list[Study]:
    """By name. Raises InputError if a metrics.json is damaged."""
    return [_read(path) for path in sorted(reports.glob(f"*/{METRICS}"))]


def counted(verdicts: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """How many claims have each verdict."""
    found = Counter(one["verdict"] for one in verdicts.values())
    return {verdict: found[verdict] for verdict in VERDICTS}


def _read(path: Path) -> Study:
    document = read_record(path, ("systems", "recipe"))
    return Study(path.parent.name, document, document.get("claims"))
