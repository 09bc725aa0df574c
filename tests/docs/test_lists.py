"""What is listed by hand: the systems that learn from more than the text, the terms that do not combine, the papers."""

import re
from itertools import combinations

import pytest

from fairseq_plugins.models.attnmt import term_named, term_names
from stages.settings.variants import variant
from tests.helpers import committed
from tests.helpers.paths import ROOT

PARAMS = committed.params()


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("supervision", ["links", "candidates", "links_and_candidates"])
def test_the_systems_of_a_supervision(supervision):
    """Those on the page, and beside them only systems that its own name begins, such as `lvnmt_covemb_gru`."""
    (listed,) = re.findall(rf"\| `{supervision}` \| (.*?) \|", page("training.md"))
    named = re.findall(r"`(\w+)`", listed)
    found = [one for one in PARAMS["variants"] if variant(one, PARAMS).training.get("supervision") == supervision]
    assert set(named) <= set(found)
    assert all(any(one.startswith(name) for name in named) for one in found)


def test_the_terms_that_do_not_combine():
    said = " ".join(page("variants.md").partition("These do not combine")[2].split())
    terms = [term_named(name) for name in term_names()]
    apart = [{a.name, b.name} for a, b in combinations(terms, 2) if b.name in a.excludes or a.name in b.excludes]
    normalising = {term.name for term in terms if term.normalises}
    assert apart and normalising
    missing = sorted(name for name in set().union(normalising, *apart) if f"`{name}`" not in said)
    assert not missing, f"docs/variants.md, below `These do not combine`, lacks {', '.join(missing)}"


def test_every_paper_has_its_title():
    """Those that the pages and the titles of systems name as "Tu et al. 2016" or "Koehn and Knowles 2017"."""
    named = " ".join([page("variants.md"), page("measures.md"), *PARAMS["titles"].values()]).split()
    labels = re.findall(r"\b([A-Z]\w+)(?: et al\.| and [A-Z]\w+) \(?(20\d\d[ab]?)", " ".join(named))
    listed = re.findall(r"^@misc\{(.+),$", page("papers.bib"), re.MULTILINE)
    assert len(set(labels)) > 20 and sorted(set(listed)) == sorted(listed)
    missing = sorted({f"{author.lower()}-{year}" for author, year in labels} - set(listed))
    assert not missing, f"docs/papers.bib lacks {', '.join(missing)}"
