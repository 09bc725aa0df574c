"""The report page: tables, figures, and how it begins."""

from .page import page

TESTS = "tests/stages/reporting/page/test_browser_tables.py"

MUTANTS = (
    *page(
        "tables.js",
        TESTS,
        {
            "a system's row is read as markup": (
                'element("th", { scope: "row" }, [title])',
                'Object.assign(element("th", { scope: "row" }), { innerHTML: title })',
            ),
            "every table is closed": ('k === 0 ? { open: "" } : {}', "{}"),
            "tables say nothing about themselves": ('element("p", { class: "hint" }, [about])', '""'),
            "tables have no notes": ("notes.map((note)", "[].map((note)"),
            "parts have no names": ("part.name ? [element(", "false ? [element("),
            "the best is not bold": ("best ? element(", "false ? element("),
            "marks of significance are lost": (": text, marks]", ": text]"),
            "columns of words are aligned as numbers": ('words.includes(column) ? "words" : ""', '""'),
            "the worst first": (
                'up ? ["ascending", "descending"] : ["descending", "ascending"]',
                'up ? ["descending", "ascending"] : ["ascending", "descending"]',
            ),
            "the lower, the worse": ('head.textContent.endsWith("↓")', "false"),
            "the third time sorts too": (
                'orders.indexOf(head.getAttribute("aria-sort")) + 1]',
                '(orders.indexOf(head.getAttribute("aria-sort")) + 1) % 2]',
            ),
            "the column sorted before stays marked": ('other.removeAttribute("aria-sort")', "other"),
            "the order is not said": ('if (order) head.setAttribute("aria-sort", order);', ""),
            "descending is ascending": ('order === "ascending" ? 1 : -1', "1"),
            "numbers are sorted as texts": ("numeric ? one - other : one", "false ? one - other : `${one}`"),
            "what has no value is lost": ("[...known, ...rows.filter((row) => keys.get(row) === null)]", "known"),
            "what has no value comes first": (
                "[...known, ...rows.filter((row) => keys.get(row) === null)]",
                "[...rows.filter((row) => keys.get(row) === null), ...known]",
            ),
            "a clock time is its hours": ("if (clock) return", "if (false) return"),
            "a number ends at its comma": (r"\d[\d,]*(", r"\d[\d]*("),
            "a minus is not read": ("[-+−]?", "[+]?"),
        },
    ),
    *page(
        "figures.js",
        TESTS,
        {
            "figures have no name for those who do not see": ("alt: `${title}. ${about}`", 'alt: ""'),
            "a large figure is no link": ("href: file", "title: file"),
            "a caption is missing": ('element("figure", {}, [caption, ', 'element("figure", {}, ['),
        },
    ),
    *page(
        "findings.js",
        TESTS,
        {
            "what was found is not said": ('element("p", {}, [text])', 'element("p")'),
            "the last paper is not counted": ("rows.map((row)", "rows.slice(0, -1).map((row)"),
        },
    ),
    *page(
        "main.js",
        TESTS,
        {
            "a link opens at the top": ('  if (linked) goTo("explorer");\n', ""),
            "every page opens at the explorer": ("if (linked) goTo", "goTo"),
            "the parts of the page cannot be gone to": (
                'button.addEventListener("click", () => goTo(button.dataset.part))',
                "button",
            ),
            "the focus stays behind": ("  byId(part).focus({ preventScroll: true });\n", ""),
            "a failure says nothing": ('  byId("problem").hidden = false;\n', ""),
        },
    ),
    *page(
        "style.css",
        f"{TESTS} -k best",
        {
            "the order of a table is not seen": (
                '.sortable [aria-sort="ascending"] button::after { content: " ▲"; }\n',
                "",
            ),
        },
    ),
)
