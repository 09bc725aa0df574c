"""The studies that have a report, as their metrics.json tell them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.git import git
from stages.files.records import read_record
from stages.reporting.claims.claims import counted_apart
from stages.reporting.claims.judged import VERDICTS
from stages.reporting.outputs import METRICS


class Study(NamedTuple):
    """name: of its folder; claims: by id, as metrics.json has them, None in a report that has none yet."""

    name: str
    document: Mapping[str, Any]
    claims: Mapping[str, Mapping[str, Any]] | None

    @property
    def answered(self) -> dict[str, Mapping[str, Any]]:
        """The claims that have a verdict or are not testable; none of a report that is older than these verdicts. One
        that is older than `apart` says of its systems what that follows from."""
        told = self.claims or {}
        if any("p_fdr" not in one for one in told.values()):
            return {}
        sizes = {name: one["mean"].get("parameters") for name, one in self.document["systems"].items()}
        return {
            name: one if "apart" in one else {**one, "apart": counted_apart(one["systems"], sizes)}
            for name, one in told.items()
            if one["verdict"] in (*VERDICTS, "not testable")
        }

    @property
    def verdicts(self) -> dict[str, Mapping[str, Any]]:
        """The claims that have one."""
        return {name: one for name, one in self.answered.items() if one["verdict"] in VERDICTS}


def read_studies(reports: Path) -> list[Study]:
    """By name; of reports in a repository those that git has, for so is the page that names them: a study of a user's
    own changes nothing in git. Where git has none, all.

    Raises InputError if a metrics.json is damaged.
    """
    paths = sorted(reports.glob(f"*/{METRICS}"))
    tracked = _in_git(reports)
    paths = [path for path in paths if path.parent.name in tracked] or paths
    documents = {path.parent.name: read_record(path, ("systems", "recipe")) for path in paths}
    return [Study(name, document, document.get("claims")) for name, document in documents.items()]


def _in_git(reports: Path) -> set[str]:
    """Names of the folders whose metrics git tracks; none without git or a repository."""
    try:
        tracked = git("ls-files", "-z", f"*/{METRICS}", folder=reports)
    except InputError:
        return set()
    return {Path(path).parts[0] for path in tracked.split("\0") if path}
