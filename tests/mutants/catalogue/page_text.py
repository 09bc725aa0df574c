"""The report page: what it shows of one sentence, and text that would harm."""

from .page import page

TESTS = "tests/stages/reporting/page/test_browser_sentence.py"

MUTANTS = (
    *page(
        "words.js",
        f"{TESTS} -k 'marks or marked or hostile or direction'",
        {
            "a word is read as markup": ("[word]);\n  if (mark)", "[]);\n  made.innerHTML = word;\n  if (mark)"),
            "a Hebrew word runs from left to right": ('class: "word", dir: "auto",', 'class: "word", dir: "ltr",'),
            "one word too many is no over-translation": ("repeats > 0", "repeats > 1"),
            "linked words are untranslated": ("return linked ?", "return !linked ?"),
            "every over-translation is of one word": ("sign: `+${repeats}`", 'sign: "+1"'),
            "a mark does not say what it means": ("    made.title = mark.meaning;\n", ""),
        },
    ),
    *page(
        "detail.js",
        TESTS,
        {
            "a reference is read as markup": (
                'element("li", { dir: "auto" }, [line])',
                'Object.assign(element("li"), { innerHTML: line })',
            ),
            "the title of a system is read as markup": (
                "byId(`title-${side}`).textContent",
                "byId(`title-${side}`).innerHTML",
            ),
            "a word told with its weight is read as markup": (
                'element("bdi", {}, [heading.textContent])',
                'Object.assign(element("bdi"), { innerHTML: heading.textContent })',
            ),
            "the first reference alone": ("set.references[row].map(", "set.references[row].slice(0, 1).map("),
            "sentences are counted from 0": ("${row + 1}", "${row}"),
            "both sides are called A's": ("page.systems[choice[side]]", "page.systems[choice.a]"),
            "both sides are A's": ("target: sides[k].target[row]", "target: sides[0].target[row]"),
            "the attention of the sentence before": (
                "sides[k].attention[row]",
                "sides[k].attention[Math.max(row - 1, 0)]",
            ),
            "the values of the first sentence": ("side.values[measure][row]", "side.values[measure][0]"),
            "an empty translation says nothing": ("target.length === 0", "false"),
            "a system without attention says nothing": ("This system has no attention to show.", ""),
            "the legend does not mention gold links": ("gold !== undefined", "false"),
            "the weight is told of the word before": ("cells[Number(s) + 1]", "cells[Number(s)]"),
            "the weight is told in the other direction": (
                'replaceChildren(said, " ← ", read,',
                'replaceChildren(read, " ← ", said,',
            ),
            "words do not light up": ('partner?.classList.add("lit")', "partner"),
            "words stay lit": ('lit.classList.remove("lit")', "lit"),
            "the cell that had the focus is forgotten": (
                "  cell.tabIndex = 0;\n",
                '  cell.closest("table").querySelector("td[data-t]").tabIndex = 0;\n',
            ),
        },
    ),
    *page(
        "blocks.js",
        f"{TESTS} -k 'empty or weight or said or marks'",
        {
            "an empty translation is an empty word": ('line === "" ? [] : ', ""),
            "the end of sentence has no column": ("columns: length + 1", "columns: length"),
            "every sentence has the first one's attention": ("from += map.rows * map.columns;", "from += 0;"),
        },
    ),
    *page(
        "order.js",
        f"{TESTS} -k values",
        {
            "an undefined value is 0": (
                'value?.toFixed(MEASURES[measure].digits) ?? "–"',
                "(value ?? 0).toFixed(MEASURES[measure].digits)",
            ),
        },
    ),
    *page(
        "controls.js",
        f"{TESTS} -k language",
        {
            "the source is in the language of the target": (
                'byId("source").lang = page.languages[0]',
                'byId("source").lang = page.languages[1]',
            ),
        },
    ),
    *page(
        "sentence.css",
        f"{TESTS} -k light",
        {
            "the words of the weight's cell do not stand out": (
                ".lit { background: var(--chosen); box-shadow: 0 0 0 2px var(--accent); }\n",
                "",
            ),
        },
    ),
)
