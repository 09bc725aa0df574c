"""The studies that have a report, as their metrics.json tell them."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.records import read_record
from stages.reporting.claims.judged import VERDICTS
from stages.reporting.outputs import METRICS


class Study(NamedTuple):
    """name: of its folder; claims: by id, as metrics.json has them, None in a report that has none yet."""

    name: str
    document: Mapping[str, Any]
    claims: Mapping[str, Mapping[str, Any]] | None

    @property
    def answered(self) -> dict[str, Mapping[str, Any]]:
        """The claims that have a verdict or are not testable; none of a report that is older than these verdicts."""
        told = self.claims or {}
        if any("p_fdr" not in one for one in told.values()):
            return {}
        return {name: one for name, one in told.items() if one["verdict"] in (*VERDICTS, "not testable")}

    @property
    def verdicts(self) -> dict[str, Mapping[str, Any]]:
        """The claims that have one."""
        return {name: one for name, one in self.answered.items() if one["verdict"] in VERDICTS}


def read_studies(reports: Path) -> list[Study]:
    """By name; a report that git ignores is left out, for the page that names it is in git and would lack it elsewhere.

    Raises InputError if a metrics.json is damaged.
    """
    paths = [path for path in sorted(reports.glob(f"*/{METRICS}")) if not _ignored(path)]
    documents = {path.parent.name: read_record(path, ("systems", "recipe")) for path in paths}
    return [Study(name, document, document.get("claims")) for name, document in documents.items()]


def _ignored(path: Path) -> bool:
    """Whether git ignores this file; without git or a repository nothing is ignored."""
    command = ["git", "check-ignore", "--quiet", path.name]
    try:
        return subprocess.run(command, cwd=path.parent, stderr=subprocess.DEVNULL, check=False).returncode == 0
    except FileNotFoundError:
        return False
