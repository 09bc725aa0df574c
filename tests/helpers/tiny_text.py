"""The text of the miniature study: sixty short sentence pairs, and links along the diagonal."""

from itertools import product
from pathlib import Path

from stages.files.records import write_json
from stages.files.text import write_lines

SOURCE, TARGET = LANGUAGES = ("zh", "en")

WHO = {"mao": "the cat", "lao shu": "the mouse", "goukou": "the dog", "niao": "the bird"}
DOES = {"kanjian le": "saw", "zhui": "chases", "chi": "eats"}
WHOM = {"yu": "a fish", "hong de pingguo": "a red apple", "daniao": "a large bird", "shu": "it", "ta": "them"}


def write_corpus(folder: Path, wordalign: Path, candidates: Path) -> None:
    """What the stages corpus, wordalign and candidates would write, as far as it is read."""
    pairs = [(f"{s} ba {o} {v} .", f"{WHO[s]} {DOES[v]} {WHOM[o]} .") for s, v, o in product(WHO, DOES, WHOM)]
    long = [
        (" ".join(source for source, _ in pairs[k : k + n]), " ".join(target for _, target in pairs[k : k + n]))
        for k, n in ((3, 2), (17, 3), (31, 2))
    ]
    unseen = [("mao ba Xq zhui .", "the cat chases Xq .")]  # letters that train lacks: unknown pieces
    sets = {
        "train": pairs + long[1:],
        "dev": [*pairs[::7], long[0]],
        "test": [*unseen, *pairs[5::11], *long, *pairs[2::17]],
        "gold": [pairs[4], long[2], pairs[30]],
    }
    for name, rows in sets.items():
        for language, column in zip((SOURCE, TARGET), zip(*rows, strict=True), strict=True):
            write_lines(folder / f"{name}.{language}", column)
    for name in ("train", "dev"):
        write_lines(wordalign / f"{name}.gdfa", (_links(*pair) for pair in sets[name]))
    write_lines(candidates, ["ba\ta", "mao\tcat"])
    about = {"corpus": "tiny", "source": SOURCE, "target": TARGET, "tests": ["test"], "gold": True}
    write_json(folder / "stats.json", {**about, "tokenised": True, "lowercase": False})


def _links(source: str, target: str) -> str:
    S, T = len(source.split(" ")), len(target.split(" "))
    return " ".join(sorted({f"{k}-{k}" for k in range(min(S, T))} | {f"0-{i}" for i in range(T)}))
