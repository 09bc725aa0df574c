"""A corpus of a user whose every tenth word would harm a careless program, and titles of the same kind."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stages.files.text import write_lines
from stages.settings.corpora import TextDefaults
from stages.text.symbols import END, UNKNOWN
from tests.attack import study
from tests.helpers.tiny_text import DOES, WHO, WHOM

HTML = ("<script>document.title='harmed'</script>", "<img/src=x/onerror=alert(1)>", "</script><b>", "&lt;", "<!--")
TEX = (
    "\\input{/etc/passwd}",
    "\\write18{id}",
    "$x^2$",
    "%",
    "#1",
    "_^",
    "~",
    "{",
    "}",
    "\\end{tabular}",
    "^^5c",
    "[*]",
)
SHELL = ("$(touch${IFS}harmed)", "`touch${IFS}harmed`", "';touch${IFS}harmed;'", "|touch", "../../harmed", "--out")
CSV = ("=1+1", '=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", '"', '""', "a,b", "a;b")
BIDI = ("\u202eabc", "\u2066x\u2069", "\u200b", "\ufeffx", "שלום")
CONTROL = ("\x01", "\x1b[31mred", "\x7f", "e\u0301\u0302", "\U0001f600")
SYMBOLS = (END, UNKNOWN, "<s>", "<pad>", "@@x", "|||", "NULL", "</w>", "madeupword0000", "#fairseq:overwrite", "0-0")
LONG = ("x" * 300, "词" * 100)
WORDS = (*HTML, *TEX, *SHELL, *CSV, *BIDI, *CONTROL, *SYMBOLS, *LONG)
TITLES = {
    study.ROW: "<img src=x onerror=\"document.title='harmed'\">\\input{x}$x^2$ %_&#{}~^ | =1+1",
    study.TUNED: '=HYPERLINK("http://x","y") ${1+1} `touch harmed`',
}


def write(folder: Path) -> None:
    """Files as a user has them: every word stands in the training text twice, and in a test set and the gold set."""
    pairs = [(f"{s} ba {o} {v} .", f"{WHO[s]} {DOES[v]} {WHOM[o]} .") for s in WHO for v in DOES for o in WHOM]
    spoilt = [_spoilt(*pairs[k % len(pairs)], WORDS[k : k + 3]) for k in range(0, len(WORDS), 2)]
    sets = {
        "train": [*pairs[:50], *(_spoilt("mao", "the cat", [word, word]) for word in WORDS), *spoilt],
        "dev": [*pairs[50:55], *(_doubled(pair) for pair in spoilt[::7])],
        "test": [*pairs[55:58], *(_doubled(pair) for pair in spoilt)],
        "gold": [*pairs[58:60], *(_trebled(pair) for pair in spoilt)],
    }
    for name, found in sets.items():
        for end, lines in zip(("zh", "en"), zip(*found, strict=True), strict=True):
            write_lines(folder / f"{name}.{end}", lines)
    lengths = [(len(source.split()), len(target.split())) for source, target in sets["gold"]]
    write_lines(folder / "gold.align", (" ".join(f"{k}-{k}" for k in range(min(pair))) for pair in lengths))


def settings(folder: Path) -> dict[str, Any]:
    """Of the tiny study, on these files, without reverse training."""
    content = study.params()
    (name,) = content["corpora"]
    files = {end: [str(folder / f"{part}.{end}") for part in ("train", "dev", "test", "gold")] for end in ("zh", "en")}
    sides = [dict(zip(("source", "target"), pair, strict=True)) for pair in zip(*files.values(), strict=True)]
    common = ("source", "target", *TextDefaults.model_fields)
    corpus = {key: content["corpora"][name]["corpus"][key] for key in common}
    corpus |= {"kind": "local", "tokenised": True, "train": list(sides[0].values()), "dev": sides[1]}
    corpus |= {"tests": {"test": sides[2]}, "gold": sides[3] | {"align": str(folder / "gold.align")}}
    content["corpora"][name]["corpus"] = corpus
    return content | {"titles": TITLES}


def _spoilt(source: str, target: str, words: Sequence[str]) -> tuple[str, str]:
    return " ".join([source, *words]), " ".join([words[0], target, *words[1:]])


def _doubled(pair: tuple[str, str]) -> tuple[str, str]:
    """Another sentence than that of the training text."""
    return f"{pair[0]} test", f"{pair[1]} test"


def _trebled(pair: tuple[str, str]) -> tuple[str, str]:
    return f"gold {pair[0]}", f"gold {pair[1]}"
