"""The report page: the list of sentences, the controls, and the address."""

from .page import page

TESTS = "tests/stages/reporting/page/test_browser_list.py"

MUTANTS = (
    *page(
        "order.js",
        f"{TESTS} -k 'sort or search or lengths or difference'",
        {
            "at least is more than": ("length >= (min ?? 0)", "length > (min ?? 0)"),
            "at most is less than": ("length <= (max ?? Infinity)", "length < (max ?? Infinity)"),
            "the longest first": (
                "set.source[one].length - set.source[other].length",
                "set.source[other].length - set.source[one].length",
            ),
            "where the systems differ least comes first": (
                "apart.get(other) - apart.get(one)",
                "apart.get(one) - apart.get(other)",
            ),
            "where A is better comes first": ("Math.abs(pair[0] - pair[1])", "(pair[0] - pair[1])"),
            "what has no value comes first": ("pair === null ? -1", "pair === null ? 1e9"),
            "differences below one do not count": (
                "Math.round(1000 * Math.abs(pair[0] - pair[1]))",
                "Math.round(Math.abs(pair[0] - pair[1]))",
            ),
            "the source is not searched": ('[set.source[row].join(" "), ...set', "[...set"),
            "the first reference alone is searched": (
                "...set.references[row], ...sides",
                "set.references[row][0], ...sides",
            ),
            "A's translation alone is searched": (
                "...sides.map((side) => side.target",
                "...sides.slice(0, 1).map((side) => side.target",
            ),
            "capitals count": ("line.toLowerCase().includes", "line.includes"),
            "spaces around what is searched count": ("text.trim().toLowerCase()", "text.toLowerCase()"),
        },
    ),
    *page(
        "sentences.js",
        f"{TESTS} -k 'list or hostile or chosen or search or difference'",
        {
            "a sentence of the list is read as markup": (
                'lang: language }, [set.source[row].join(" ")])',
                'lang: language }, [document.createRange().createContextualFragment(set.source[row].join(" "))])',
            ),
            "the list counts from 0": ("[`${row + 1}`]", "[`${row}`]"),
            "the count is of the set": ("`${rows.length} of", "`${set.source.length} of"),
            "the sentence shown is not marked": ('button.setAttribute("aria-current", "true")', "button"),
            "sentences stay marked": ('else button.removeAttribute("aria-current");', "else button.blur;"),
            "the tabulator stops at every sentence": (
                "(chosen ?? buttons[0]) ? 0 : -1",
                "(chosen ?? buttons[0]) ? 0 : 0",
            ),
            "a list without the sentence shown cannot be reached": ("(chosen ?? buttons[0])", "chosen"),
            "the sentence shown is out of sight in the list": ("if (chosen) reveal(chosen);", ""),
        },
    ),
    *page(
        "explorer.js",
        f"{TESTS} -k 'not gold and not sight and not marked and not empty'",
        {
            "an earlier choice overtakes a later one": ("  if (mine !== turn) return;\n", ""),
            "the list is built anew at every step": ("  if (shows === listShows) return;\n", ""),
            "the list stays as it was": ("shows === listShows", "listShows"),
            "the address stays as it was": ("  writeFragment(choice);\n", ""),
            "the address is not followed": ('addEventListener("hashchange", follow)', "follow"),
            "the address does not change the fields": ("  showFields(choice);\n", ""),
            "A and B exchanged in the notes": ('"AB"[k]', '"BA"[k]'),
            "a note of words for every sort": ('["position", "length"].includes(choice.sort)', "true"),
            "another set keeps the row": ("set: setAt(value), row: 0", "set: setAt(value)"),
            "B chooses A": ("({ b: systemAt(value) })", "({ a: systemAt(value) })"),
            "at least and at most exchanged": ("({ min: whole(value) })", "({ max: whole(value) })"),
            "the search waits for the end of typing": ('? "change" : "input"', '? "change" : "change"'),
            "back goes on": ("go(rows.indexOf(choice.row) - 1)", "go(rows.indexOf(choice.row) + 1)"),
            "on does not go": ('byId("next").addEventListener', 'byId("previous").addEventListener'),
            "the buttons do not lead back to the list": ("Math.min(Math.max(place, 0), rows.length - 1)", "place"),
            "sentences cannot be clicked": ("if (button) choose(", "if (!button) choose("),
            "up in the list does not go": ("ArrowUp: at - 1, ", ""),
            "End in the list does not go": (", End: buttons.length - 1", ""),
            "the focus stays behind in the list": (".focus({ preventScroll: true });\n  go(", ";\n  go("),
            "hovering tells nothing": ('["pointerover", "focusin"]', '["focusin"]'),
            "the focus tells nothing": ('["pointerover", "focusin"]', '["pointerover"]'),
        },
    ),
    *page(
        "fragment.js",
        f"{TESTS} -k 'link or sort or fragment or trail or cannot'",
        {
            "sorts are offered where one system has no values": ("[a, b].every(", "[a, b].some("),
            "the sort is not read": ('sort: asked.get("sort")', "sort: null"),
            "the search is not read": ('asked.get("q") ?? ""', '""'),
            "at least is not read": ('min: whole(asked.get("min"))', "min: null"),
            "at most is not read": ('max: whole(asked.get("max"))', "max: null"),
            "the search is not written": ("row, sort, q, min, max };\n", "row, sort, min, max };\n"),
            "the bounds are not written": ("row, sort, q, min, max };\n", "row, sort, q };\n"),
            "the sort is not written": ("row, sort, q, min, max };\n", "row, q, min, max };\n"),
            "the address exchanges A and B": (
                "a: page.systems[a].name, b: page.systems[b].name",
                "a: page.systems[b].name, b: page.systems[a].name",
            ),
            "every step is a page to go back from": ("history.replaceState", "history.pushState"),
            "a row that is not there is kept": (
                "row: choice.row < page.sets[choice.set].sentences ? choice.row : 0",
                "row: choice.row",
            ),
            "a sort that is not there is kept": (
                'sortsOf(choice).includes(choice.sort) ? choice.sort : "position"',
                "choice.sort",
            ),
            "a system that is not there is kept": ("systemAt(systemAt(name) < 0 ? first : name)", "systemAt(name)"),
            "a set that is not there is kept": ('Math.max(setAt(asked.get("set")), 0)', 'setAt(asked.get("set"))'),
        },
    ),
    *page(
        "controls.js",
        f"{TESTS} -k 'hostile or controls or sorted or set or chosen or cannot'",
        {
            "the title of a system in the choice is read as markup": (
                'element("option", { value: name }, [title])',
                'Object.assign(element("option", { value: name }), { innerHTML: title })',
            ),
            "every sort can be chosen": ("!sorts.includes(option.value)", "false"),
            "the choice of B shows A": ("page.systems[choice[side]].name", "page.systems[choice.a].name"),
            "the sort is not shown": ('  byId("sort").value = choice.sort;\n', ""),
            "forced and free are exchanged": ("const what = forced\n", "const what = !forced\n"),
        },
    ),
    *page(
        "page.html",
        f"{TESTS} -k names",
        {
            "the search has no name": ("Search <input", "<input"),
            "a bound has no name": (' aria-label="Source words, at least"', ""),
            "the count is not told": ('id="count" role="status"', 'id="count"'),
            "the sorts lack over-translation": (
                '<option value="over-translation">difference in over-translation</option>\n',
                "",
            ),
            "the sorts lack AER": ('<option value="aer">difference in AER</option>\n', ""),
        },
    ),
)
