"""When a benchmark was run, and at which commit."""

from datetime import UTC, datetime
from pathlib import Path

from stages.files.errors import InputError
from stages.files.git import git

ROOT = Path(__file__).parents[1]
WRITTEN = tuple(f":!benchmarks/{name}" for name in ("gpu.json", "gpu.md", "results.json", "results.md"))
PACKED = ROOT / "commit"
"""In a tree that `queue pack` has made, which is no repository: the commit that it is of."""


def now_and_commit() -> dict[str, str | None]:
    """The date, and the commit that is checked out, `+` for changes beside it, which results are none of;
    None where there is no git."""
    commit: str | None
    try:
        changed = git("diff", "--name-only", "HEAD", "--", ".", *WRITTEN, folder=ROOT)
        commit = git("rev-parse", "--short", "HEAD", folder=ROOT) + ("+" if changed else "")
    except InputError:
        commit = None
    if PACKED.exists():
        commit = PACKED.read_text(encoding="utf-8") or None
    return {"date": datetime.now(UTC).date().isoformat(), "commit": commit}
