"""One sentence pair and systems without a mechanism of their own, for the tests of the reference implementations."""

from tests.naive.interface import System

SOURCE, PREVIOUS, TARGET = [4, 3, 5, 3, 2], [2, 5, 3, 4], [5, 3, 4, 2]
HISTORIES = ("source_history", "target_history")
SYSTEMS = {
    "rnnsearch": System("d1", readout="maxout"),
    "rnnsearch_star": System("d2"),
    "rnnsearch_star linear": System("d2", readout="linear"),
    "sa": System("d2", HISTORIES[:1]),
    "ta prev": System("d2", HISTORIES[1:]),
    "ta query": System("d2", HISTORIES[1:], options={"target_history": {"target_history_state": "query"}}),
    "ta cur": System("d2", HISTORIES[1:], options={"target_history": {"target_history_state": "cur"}}),
    "ba": System("d2", HISTORIES),
    "ba on d1": System("d1", HISTORIES, "maxout"),
    "rnnencdec prev": System("encdec", readout="maxout"),
    "rnnencdec cur": System("encdec", readout="maxout", options={"encdec": {"rnnencdec_readout": "cur"}}),
}
