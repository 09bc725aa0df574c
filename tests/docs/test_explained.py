"""Every setting is explained in params.yaml or on the pages, and every measure of metrics.json on the pages.

A page need not repeat what the comment beside a default says.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from docs.make.blocks import pages
from stages.scoring.catalogue import MEASURES, OF_CLAIMS
from stages.settings.params import read
from stages.settings.schema import CorpusSection
from stages.settings.smt import SmtSettings
from stages.settings.systems import Study
from tests.helpers.paths import ROOT

TEXT = "\n".join(page.read_text(encoding="utf-8") for page in pages())
TABLE = re.compile(r"<!-- (settings: [^>]+|measures) -->\n\n((?:\|.*\n)+)")
EXPLAINED = {
    place: set(re.findall(r"`([^`]+)`", "".join(row.split("|")[1] for row in table.splitlines()[2:])))
    for place, table in TABLE.findall(TEXT)
}
"""Table -> the keys in its first column."""

DEFAULTS = (ROOT / "params.yaml").read_text(encoding="utf-8").partition("\ndefaults:\n")[2].partition("\nsets:\n")[0]
COMMENTED = {
    name: set(re.findall(rf"^{indent}  (\w+): .*# \S", keys, re.MULTILINE))
    for indent in ("  ", "    ")
    for name, keys in re.findall(rf"^{indent}(\w+): &\w+.*\n((?:{indent}  .*\n)+)", DEFAULTS, re.MULTILINE)
}
"""Section of the defaults -> the keys with a comment beside them."""

OTHERWISE = {"studies.*": "study", "corpora.*.corpus": "text", "corpora.*.model": "sizes"}
"""Which section of the defaults belongs to a table, where its name is not the table's last."""


def keys_of(kind: Any) -> set[str]:
    """The keys of a section; none of what is no section."""
    return set(kind.model_fields) if isinstance(kind, type) and issubclass(kind, BaseModel) else set()


def _parts(section: type[BaseModel]) -> Iterator[tuple[str, Any]]:
    """The sections in a section."""
    for name, field in section.model_fields.items():
        if keys_of(field.annotation):
            yield name, field.annotation


SECTIONS = {f"settings: corpora.*.{name}": field.annotation for name, field in CorpusSection.model_fields.items()}
SECTIONS |= {f"settings: corpora.*.smt.{name}": part for name, part in _parts(SmtSettings)}
SECTIONS["settings: studies.*"] = Study
del SECTIONS["settings: corpora.*.fine_tuning"]  # its keys are those of training


def commented(place: str) -> set[str]:
    """The keys of a section that params.yaml explains in its defaults."""
    name = place.removeprefix("settings: ")
    return COMMENTED.get(OTHERWISE.get(name, name.split(".")[-1]), set())


def keys(kind: Any) -> set[str]:
    """The keys that a section may have, whatever its kind."""
    return keys_of(kind) or {key for part in get_args(kind) for key in keys(part)}


def written(place: str) -> set[str]:
    """The keys that stand in such sections of the committed params.yaml."""
    path = place.removeprefix("settings: ").split(".")
    sections = read()[path[0]].values()
    for name in path[2:]:
        sections = [one[name] for one in sections]
    return {key for one in sections for key in one}


@pytest.mark.parametrize("place", SECTIONS)
def test_every_setting_is_explained_and_no_other(place: str) -> None:
    """Widths of terms may be missing: a new term brings its own, which its option explains."""
    there = keys(SECTIONS[place]) | written(place)
    tabled = EXPLAINED.get(place, set())
    assert {key for key in there if not key.endswith("_dim")} <= tabled | commented(place)
    assert tabled <= there


def test_every_table_of_settings_is_of_a_section() -> None:
    assert set(EXPLAINED) <= {*SECTIONS, "measures"}


def leaves(metrics: dict[str, Any]) -> Iterator[str]:
    """The measures of a system by their names, also those of dev and of every test set."""
    for key, value in metrics.items():
        if key == "tests":
            for of_set in value.values():
                yield from of_set
        elif key == "dev":
            yield from value
        else:
            yield key


@pytest.mark.parametrize("study", sorted(path.parent.name for path in (ROOT / "reports").glob("*/metrics.json")))
def test_every_measure_is_explained(study: str) -> None:
    report = json.loads((ROOT / "reports" / study / "metrics.json").read_text(encoding="utf-8"))
    found = {
        re.sub(r"^perplexity_\w+-\w+$", "perplexity_<direction>", key)
        for system in report["systems"].values()
        for key in leaves(system["mean"])
    }
    assert found <= EXPLAINED["measures"]


def test_no_other_measure_is_explained() -> None:
    demo = json.loads((ROOT / "reports" / "demo" / "metrics.json").read_text(encoding="utf-8"))
    known = set(MEASURES | OF_CLAIMS) | {key for system in demo["systems"].values() for key in leaves(system["mean"])}
    assert EXPLAINED["measures"] - {"perplexity_<direction>"} <= known
