"""The table of the claims, and what stands above it."""

from stages.reporting.claims.judged import Judged
from stages.reporting.tables.claims import HEADINGS, claims_table, spoken_of, summary_of
from tests.helpers.paper_claims import OF_PAPERS

BA = OF_PAPERS["xue-2019/ba"]  # +1.41
FOUND = Judged(
    BA, "no difference above m", 0.2, -0.3, 0.7, 3, 500, p_fdr=0.4321, margin=0.5, printed_gain="excluded", plan="a"
)


def test_a_row_says_how_large_and_how_sure():
    ((title, cells),) = claims_table([FOUND], {}).rows
    row = dict(zip(HEADINGS, [title, *(cell.text for cell in cells)], strict=True))
    assert row == {
        "Claim": "BA-NMT translates better than RNNsearch*",
        "where": "Xue et al. 2019, Table 2",
        "measure": "BLEU ↑",
        "Δ paper": "+1.41",
        "Δ ours": "+0.20",
        "95 % interval": "-0.30 to +0.70",
        "to 0": "0.30",
        "p (FDR)": "0.432",
        "as large as printed": "excluded",
        "verdict": "no difference above 0.5 (planned)",
        "what would decide": "–",
        "ours": "ba_nmt − rnnsearch_star",
    }


def test_what_is_not_testable_has_its_reason_and_is_not_counted():
    judged = [FOUND, Judged(BA, "not testable", why="no case"), Judged(BA, "not compared", why="not here")]
    assert [cells[-2].text for _, cells in claims_table(judged, {}).rows] == ["–", "no case", "not here"]
    assert spoken_of(judged) == [FOUND]


def test_claims_are_counted_once_for_all_studies_and_papers():
    other = OF_PAPERS["xue-2019/sa"]
    text = summary_of([FOUND, Judged(other, "not testable", why="x"), Judged(other, "not compared")])
    assert text.startswith("This study judges 1 of 3 claims, about 1 contrast of systems.")
