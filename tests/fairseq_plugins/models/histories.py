"""The systems that are RNNsearch* with histories (Xue et al. 2019), or with nothing."""

from tests.helpers.support import SYSTEMS, terms_of

HISTORIES = {"source_history", "target_history"}
ON_STAR = [
    name
    for name, variant in SYSTEMS.items()
    if variant.arch == "attnmt" or terms_of(variant)
    if terms_of(variant) <= HISTORIES and variant.options().get("base") != "rnnsearch"
]
WITH_HISTORIES = [name for name in ON_STAR if terms_of(SYSTEMS[name])]
