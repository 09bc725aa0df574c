"""Families: declared by systems and terms, known or new."""

import numpy as np
import pytest

from fairseq_plugins import declarations
from stages.reporting.figures import families
from stages.reporting.figures.families import KNOWN, LAST, OTHER, all_families, family_of, label_of, new_families
from stages.reporting.figures.layout import blank
from stages.reporting.figures.scatter import Point, draw_points
from stages.settings.variants import VariantModel

NEW = ["a new idea", "another"]


def test_every_declared_family_has_a_place():
    named = [name for family in all_families() for name in family.names]
    assert len(set(named)) == len(named)
    assert {found.family for found in (*declarations.systems(), *declarations.terms())} <= set(named)


def test_every_known_family_is_declared():
    """By a system or a term: a name that nobody uses is a wrong one."""
    declared = {found.family for found in (*declarations.systems(), *declarations.terms())}
    assert {name for family in (*KNOWN, *LAST) for name in family.names} <= declared


def test_new_families_look_like_no_other_and_always_the_same():
    found = new_families({*NEW, "coverage", "large vocabulary"})
    assert [family.title for family in found] == ["A new idea", "Another"]
    assert found == new_families(NEW[::-1])
    known = {family.marker for family in (*KNOWN, *LAST)}
    many = new_families(f"idea {k}" for k in range(40))
    assert len({family.marker for family in many} | known) == 40 + len(known)
    assert len({family.color for family in many[:5]}) == 5


def test_the_star_of_a_fourth_new_family_can_be_drawn():
    family = new_families(f"idea {k}" for k in range(4))[-1]
    axis = blank(3, 3).add_axes((0, 0, 1, 1), xlim=(0, 2), ylim=(0, 2))
    draw_points(axis, [Point("novel", 1, 1, 0.1, np.nan, family)], baseline="other", labelled=[])
    (drawn,) = (line for line in axis.lines if line.get_marker() == family.marker)
    assert family.marker == (6, 1, 0) and drawn.get_linestyle() == "None"


def test_a_system_of_a_new_family_stands_with_its_like(monkeypatch):
    new = [declarations.Declared(name, "", "", "", {"Family": NEW[0]}, (), ()) for name in ("novel_one", "novel_two")]
    there = declarations.systems()
    monkeypatch.setattr(declarations, "systems", lambda: [*there, *new])
    monkeypatch.setattr(declarations, "system", lambda arch: next(one for one in new if one.name == arch))
    families.all_families.cache_clear()
    found = family_of(VariantModel(arch="novel_two"))
    assert (found.title, label_of("novel_two_long", found)) == ("A new idea", "two_long")
    assert found in all_families()[len(KNOWN) : -len(LAST)]
    families.all_families.cache_clear()


@pytest.mark.parametrize("arch", ["transformer", "nobody"])
def test_who_names_no_family_is_among_the_others(arch):
    assert family_of(VariantModel(arch=arch)) is OTHER
