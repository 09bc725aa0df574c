"""The report page: what makes it readable, on a narrow screen, in the dark, and by keyboard."""

from .page import page

TESTS = "tests/stages/reporting/page/test_browser_look.py"

MUTANTS = (
    *page(
        "style.css",
        TESTS,
        {
            "the focus is not seen": (
                ":focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }\n",
                ":focus-visible { outline: none; }\n",
            ),
            "a table is wider than the screen": ("  position: relative;\n  overflow: auto;\n  max-height: 75vh;\n", ""),
            "controls are wider than the screen": (
                "  max-width: 100%;\n  padding: 0.35rem",
                "  min-width: 30rem;\n  padding: 0.35rem",
            ),
            "a figure is wider than the screen": (
                "figure img { display: block; max-width: 100%;",
                "figure img { display: block;",
            ),
            "figures are too small to be read on a phone": (
                '.zoom[aria-pressed="true"] img { max-width: none; }\n',
                "",
            ),
            "the systems' titles cover the numbers": ("  max-width: min(24rem, 36vw);\n", ""),
            "long words run out": ("  overflow-wrap: anywhere;\n", ""),
            "the headings of a table scroll away": (
                ".sortable thead th {\n  position: sticky;",
                ".sortable thead th {",
            ),
            "the systems of a table scroll away": (
                ".sortable th:first-child { position: sticky;",
                ".sortable th:first-child {",
            ),
            "the dark page has ink of the light one": ("    --ink: #e6e6e3;\n", ""),
            "pale hints": ("--muted: #626262", "--muted: #a0a0a0"),
            "pale hints in the dark": ("--muted: #a3a6aa", "--muted: #5a5d60"),
            "what is hidden is shown": (
                ".unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }\n",
                "",
            ),
        },
    ),
    *page(
        "sentence.css",
        TESTS,
        {
            "over-translated words look like others": (
                "  background: var(--over-tint);\n  color: var(--over);\n  text-decoration: underline double;\n",
                "",
            ),
            "untranslated words look like others": (
                ".untranslated { background: var(--lost-tint); color: var(--lost); outline: 1px dashed; }\n",
                "",
            ),
            "a mark has no sign": ('content: "\\2060" attr(data-mark);', 'content: "";'),
            "gold links are not drawn": ("  border: 2px solid var(--gold);\n", ""),
            "possible links look sure": (".gold-possible::before { border-style: dashed; }\n", ""),
            "the focus of a cell is not seen": (
                "outline: 3px solid var(--accent); outline-offset: 0;",
                "outline: none;",
            ),
            "a map is wider than the screen": (
                ".map { position: relative; overflow: auto;",
                ".map { position: relative;",
            ),
            "the headings of a map scroll away": (
                ".heat thead th, .heat thead td {\n  position: sticky;",
                ".heat thead th, .heat thead td {",
            ),
            "the weight scrolls away": (".weight {\n  position: sticky;", ".weight {"),
        },
    ),
    *page(
        "screens.css",
        TESTS,
        {
            "the list stays beside the sentence on a narrow screen": (
                "  .explorer { grid-template-columns: minmax(0, 1fr); }\n",
                "",
            ),
            "the list stays as long as a screen on a narrow one": ("  #sentences { max-height: 15rem; }\n", ""),
            "the printed page is cut off": ("  .scroll, .map { max-height: none; overflow: visible; }\n", ""),
        },
    ),
    *page(
        "page.html",
        TESTS,
        {
            "a phone shows the page as wide as a desk": (
                '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
                "",
            ),
            "the page asks a host for its icon": (
                '<link rel="icon" href="data:,">',
                '<link rel="icon" href="https://example.org/icon.png">',
            ),
            "the page asks a host for a script": (
                '<script type="module">{{script}}',
                '<script src="https://example.org/script.js"></script>\n<script type="module">{{script}}',
            ),
        },
    ),
)
