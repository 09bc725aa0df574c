"""The report page: heat maps, links and gold links, and the keys that go through them."""

from .page import page

TESTS = "tests/stages/reporting/page/test_browser_sentence.py"

MUTANTS = (
    *page(
        "links.js",
        f"{TESTS} -k 'marks or marked or weight'",
        {
            "rows and columns exchanged": ("map.weights[t * map.columns + s]", "map.weights[s * map.rows + t]"),
            "the last of equals is the strongest": (
                "> weightOf(map, t, best)) best",
                ">= weightOf(map, t, best)) best",
            ),
            "the source's end of sentence cannot be looked at": (
                "let s = 1; s < map.columns;",
                "let s = 1; s < map.columns - 1;",
            ),
            "a word that looks nowhere is linked": (" && weightOf(map, t, best) > 0", ""),
            "different words for a source word are repeats": (
                "all.length - new Set(all).size",
                "Math.max(all.length - 1, 0)",
            ),
            "a repeat in capitals is another word": (".toUpperCase().toLowerCase()", ""),
            "a word that is looked at once is untranslated": ("linked: all.length > 0", "linked: all.length > 1"),
        },
    ),
    *page(
        "heat_map.js",
        TESTS,
        {
            "a heading is read as markup": ('"turned" }, [word]);', '"turned" });\n  label.innerHTML = word;'),
            "the end of sentence has no row": ("map.rows > target.length ? [...target, EOS] : target", "target"),
            "a translation that was cut off has an end of sentence": ("map.rows > target.length ?", "true ?"),
            "weights are shown with one digit": ("weight.toFixed(2)", "weight.toFixed(1)"),
            "all weights have one shade": ("100 * weight ** 0.8", "50 * weight ** 0"),
            "the higher the weight, the lighter": ("100 * weight ** 0.8", "100 * (1 - weight)"),
            "gold links are turned round": ("i === s && j === t", "i === t && j === s"),
            "possible links are sure": ('["possible", gold?.possible]', '["sure", gold?.possible]'),
            "gold links are not told": ('      made.setAttribute("aria-label", `${says}, ${kind} gold link`);\n', ""),
            "no cell can be reached by the tabulator": ('?.setAttribute("tabindex", 0)', ""),
            "up is down": ("ArrowUp: [t - 1, s]", "ArrowUp: [t + 1, s]"),
            "left does not go": ("ArrowLeft: [t, s - 1], ", ""),
            "the page scrolls with every arrow key": ("  event.preventDefault();\n", ""),
            "the focus goes out of sight": ('  to?.scrollIntoView({ block: "nearest", inline: "nearest" });\n', ""),
            "headings cover the focus": ("`${across}px 4px 4px ${down}px`", '"0px"'),
            "the map has no name": ("Attention of ${sentence.title}.", "Attention."),
            "Chinese headings lie on their side": ('"upright" : "turned"', '"turned" : "turned"'),
        },
    ),
    *page(
        "sentence.css",
        f"{TESTS} -k darker",
        {
            "a map has one colour": ("color-mix(in oklab, var(--deep) var(--shade), var(--card))", "var(--card)"),
        },
    ),
)
