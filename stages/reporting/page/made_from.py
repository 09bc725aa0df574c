"""Which commit a page is made from."""

import subprocess

CODE = ("stages", "fairseq_plugins", "dvc.yaml")
UNKNOWN = "The commit that this page was made from is not known: there is no git here."


def made_from() -> str:
    """A sentence for the page: the commit of HEAD, and whether code has been changed since."""
    head, changed = _git("rev-parse", "HEAD"), _git("status", "--porcelain", "--", *CODE)
    if not head or changed is None:
        return UNKNOWN
    return f"Made from commit {head}{', with changes to the code that are not committed' if changed else ''}."


def _git(*arguments: str) -> str | None:
    """What git says; None where it says an error, or is not there."""
    try:
        answer = subprocess.run(["git", *arguments], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None
