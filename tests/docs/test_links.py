"""Every link of README, docs and the committed reports leads to a file or a heading that is there."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docs.make.blocks import pages
from tests.helpers.paths import ROOT

WRITTEN = (*pages(), *(ROOT / "benchmarks" / name for name in ("README.md", "tricks.md")))
OWN = tuple(ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md"))
PAGES = (*WRITTEN, *OWN, ROOT / "benchmarks" / "results.md", *sorted((ROOT / "reports").rglob("*.md")))
LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)|<(?:a|img)\b[^>]*?\b(?:href|src)=\"([^\"]+)\"")
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def targets(markdown: str) -> list[str]:
    """What the links outside code lead to, those to other hosts left out."""
    prose = re.sub(r"`[^`\n]*`", "code", FENCED.sub("", markdown))
    found = [inline or tag for inline, tag in LINK.findall(prose)]
    return [target for target in found if not urlsplit(target).scheme]


def anchors(markdown: str) -> set[str]:
    """What GitHub calls the headings: lower case, without punctuation, hyphens for spaces, numbered if repeated."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", FENCED.sub("", markdown), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        stem = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        found.add(next(name for name in (stem, *(f"{stem}-{k}" for k in range(1, 999))) if name not in found))
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", markdown))


def dead(page: Path) -> list[str]:
    """Links of a Markdown file whose file or heading is missing."""
    missing = []
    for target in targets(page.read_text(encoding="utf-8")):
        path, _, fragment = target.partition("#")
        file = page if not path else page.parent / unquote(path)
        headings = fragment and file.suffix == ".md"
        if not file.exists() or (headings and unquote(fragment) not in anchors(file.read_text(encoding="utf-8"))):
            missing.append(target)
    return missing


def test_every_link_leads_somewhere() -> None:
    found = {page.relative_to(ROOT).as_posix(): dead(page) for page in PAGES}
    assert {page: targets for page, targets in found.items() if targets} == {}


def test_the_counterparts_of_the_papers_tables_are_linked() -> None:
    measures, tables = ROOT / "docs" / "measures.md", "../reports/demo/tables"
    linked = {target.partition("#")[0] for target in targets(measures.read_text(encoding="utf-8"))}
    assert {f"{tables}/papers/papers.md", f"{tables}/README.md"} <= linked
    listed = (ROOT / "docs" / tables / "README.md").resolve().read_text(encoding="utf-8")
    assert listed.count("Counterpart of") > 10


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    listed = {(index.parent / target).resolve() for target in targets(index.read_text(encoding="utf-8"))}
    assert {page for page in WRITTEN if page != index} <= listed


def test_dead_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "a b.md").write_text("# One, `two` & three\n\n## One\n\n## One\n", encoding="utf-8")
    alive = ("#here", "a%20b.md", "a%20b.md#one-two--three", "a%20b.md#one", "a%20b.md#one-1", "https://host/gone.md")
    gone = ("#gone", "gone.md", "a%20b.md#one-2", "gone/")
    lines = [*(f"[x]({target})" for target in (*alive, *gone)), '<img src="gone.png">', "`[x](code.md)`"]
    page = tmp_path / "page.md"
    page.write_text("\n".join(["# Here", *lines, "```", "[x](fenced.md)", "```", ""]), encoding="utf-8")
    assert dead(page) == [*gone, "gone.png"]
