"""How many sentences a set of a corpus will have, before the corpus is read."""

from pathlib import Path

from stages.corpora.nist_sgml import is_sgml, read_sets
from stages.files.text import iter_lines
from stages.settings.corpora import (
    CorpusSettings,
    DemoSettings,
    HansardsSettings,
    LocalSettings,
    MixSettings,
    Multi30kSettings,
)

HANSARDS_GOLD = 447
TSINGHUA_GOLD = 450
MULTI30K_TESTS = {"test_2016_flickr": 1000, "test_2017_flickr": 1000, "test_2017_mscoco": 461}


def sentences_shown(settings: CorpusSettings) -> int | None:
    """Of the set whose attention is drawn: the gold set, or the first test set where there is none. None where nobody
    knows before text is read: how much a mix leaves of a test set.

    Raises:
        InputError: it is a user's own file, and that is missing or damaged.
    """
    match settings:
        case DemoSettings():
            return settings.gold
        case HansardsSettings():
            return HANSARDS_GOLD
        case Multi30kSettings():
            return MULTI30K_TESTS[settings.tests[0]]
        case MixSettings():
            return TSINGHUA_GOLD if settings.gold else None
        case LocalSettings():
            of = settings.gold or next(iter(settings.tests.values()))
            first = of.source if isinstance(of.source, Path) else of.source[0]
            return len(read_sets((first,), ())[0][0]) if is_sgml(first) else sum(1 for _ in iter_lines(first))
