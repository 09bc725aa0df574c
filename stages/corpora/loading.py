"""From the settings of any kind of corpus to the corpus."""

from stages.corpora import embedded, hansards, local, mix, multi30k
from stages.corpora.download import Sources
from stages.corpora.raw_corpus import Corpus
from stages.settings.corpora import (
    CorpusSettings,
    DemoSettings,
    HansardsSettings,
    LocalSettings,
    MixSettings,
    Multi30kSettings,
)


def load(settings: CorpusSettings, sources: Sources) -> Corpus:
    """The corpus that `settings` describe, before the filters; raises InputError on any bad input."""
    match settings:
        case DemoSettings():
            return embedded.load(settings)
        case LocalSettings():
            return local.load(settings)
        case Multi30kSettings():
            return multi30k.load(settings, sources)
        case HansardsSettings():
            return hansards.load(settings, sources)
        case MixSettings():
            return mix.load(settings, sources)
