"""The table of the claims, and what stands above it."""

from stages.reporting.claims.judged import Judged
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.claims import HEADINGS, claims, claims_table, spoken_of, summary_of
from tests.helpers.paper_claims import CLAIMS, OF_PAPERS

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


def test_a_verdict_on_a_reconstruction_is_marked():
    guessed = FOUND._replace(claim=OF_PAPERS["review-2018/fertility"])
    ((_, cells),) = claims_table([guessed], {}).rows
    assert cells[-3].text == "no difference above 0.5 (planned) (reconstruction)"


def test_what_is_not_testable_has_its_reason_and_is_not_counted():
    judged = [FOUND, Judged(BA, "not testable", why="no case"), Judged(BA, "not compared", why="not here")]
    assert [cells[-2].text for _, cells in claims_table(judged, {}).rows] == ["–", "no case", "not here"]
    assert spoken_of(judged) == [FOUND]


def test_claims_are_counted_once_for_all_studies_and_papers():
    other = OF_PAPERS["xue-2019/sa"]
    text = summary_of([FOUND, Judged(other, "not testable", why="x"), Judged(other, "not compared")])
    assert text.startswith("This study judges 1 of 3 claims, about 1 contrast of systems.")


OWN = Judged(CLAIMS["beyond/coverage-penalty-bleu"], "agrees", 0.8, 0.3, 1.3, 3, 500, p_fdr=0.01, margin=0.5)


def test_our_own_are_counted_apart():
    text = summary_of([FOUND, Judged(OF_PAPERS["xue-2019/sa"], "not compared"), OWN])
    of_papers, _, own = text.partition(" This study judges 1 of 1 claims of our own, about 1 contrast of systems. ")
    assert of_papers.startswith("This study judges 1 of 2 claims of the papers, about 1 contrast of systems. Of")
    assert own.startswith("Of these, 1 agrees (1 contrast); 0 disagree")


def test_a_table_with_our_own_says_so(study: StudyResults):
    system = {"rnnsearch_star_coverage_penalty": "RNNsearch*, penalty"}
    spec = study.spec._replace(titles=study.spec.titles | system)
    found = claims(study._replace(judged=[FOUND, OWN], spec=spec))
    assert found.title == "Claims of the papers, and our own"
    assert found.about.startswith("Which of the papers' claims and of our own hold here. This study judges 1 of 1 ")
    assert list(found.parts) == ["Xue et al. 2019", "Beyond the papers"]
    assert claims(study._replace(judged=[FOUND])).title == "Claims of the papers"
