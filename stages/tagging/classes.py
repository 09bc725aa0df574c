"""From the tags of five tagsets to the classes by which the papers count words.

Kuang et al. (2018) tag Chinese with the tagset of the Chinese Treebank (CTB) and English with that of the Penn Treebank
(PTB). Table 5 counts NN ("nouns excluding proper nouns and temporal nouns"), NR, DT and CD; Table 3 merges "all verbs
into V" and "all nouns into N", and keeps CD, JJ and AD. The classes are the coarsest that give both tables: temporal
nouns (NT) are nouns in Table 3 but not in Table 5, so they have their own. Only CTB and jieba know them.

Choices where the papers are silent: a tag of another tagset gets the class of the tag that CTB or PTB would give its
words. English modals (MD) are verbs, as Chinese ones are in CTB (VV). Ordinals follow PTB (JJ) in C5; CTB has a tag of
its own for them (OD), which is OTHER. Question words count as adverbs if they ask for an adverb, else as OTHER.
"""

from collections.abc import Iterable, Sequence

from stages.files.errors import InputError

CLASSES = ("NN", "NR", "NT", "DT", "CD", "V", "JJ", "AD", "OTHER")

Classes = Sequence[Sequence[str]]
"""The class of every word of every sentence of a text."""

_TAGS = {
    # Xia (2000), "The part-of-speech tagging guidelines for the Penn Chinese Treebank (3.0)"
    "CTB": {
        "NN": "NN",
        "NR": "NR",
        "NT": "NT",
        "DT": "DT",
        "CD": "CD",
        "V": "VA VC VE VV",
        "JJ": "JJ",
        "AD": "AD",
        "OTHER": "AS BA CC CS DEC DEG DER DEV ETC FW IJ LB LC M MSP OD ON P PN PU SB SP",
    },
    # Santorini (1990), "Part-of-speech tagging guidelines for the Penn Treebank project", and its punctuation
    "PTB": {
        "NN": "NN NNS",
        "NR": "NNP NNPS",
        "DT": "DT PDT",
        "CD": "CD",
        "V": "VB VBD VBG VBN VBP VBZ MD",
        "JJ": "JJ JJR JJS",
        "AD": "RB RBR RBS WRB",
        "OTHER": "CC EX FW IN LS POS PRP PRP$ RP SYM TO UH WDT WP WP$ # $ . , : ( ) \" ' ` '' `` -LRB- -RRB-",
    },
    # The tags in jieba's dictionary and hidden Markov model: those of ICTCLAS and some more. A set phrase (l) is a noun
    # more often than anything else; an idiom (i) can be anything. Determiners are known by word, see chinese.py.
    "jieba": {
        "NN": "n ng an vn s j l jn ln",
        "NR": "nr nrt nrfg ns nt nz eng",
        "NT": "t tg",
        "DT": "rz",
        "CD": "m mg mq",
        "V": "v vg vi vq",
        "JJ": "a ag b bg z",
        "AD": "d dg df ad vd",
        "OTHER": "c e en f h i in k o p q qe qg r rg rr u ud ug uj ul uv uz w x y yg",
    },
    # The basic tagset of the British National Corpus, and what else is in HanTa's English model
    "C5": {
        "NN": "NN NN0 NN1 NN2",
        "NR": "NP0",
        "DT": "AT0 DT0",
        "CD": "CRD",
        "V": "VBB VBD VBG VBI VBN VBZ VDB VDD VDG VDI VDN VDZ VHB VHD VHG VHI VHN VHZ VM0 VVB VVD VVG VVI VVN VVZ",
        "JJ": "AJ0 AJC AJS ORD",
        "AD": "AV0 AVQ XX0",
        "OTHER": "AVP CJC CJS CJT DPS DTQ EX0 IN ITJ PNI PNP PNQ PNX POS PRF PRP PUL PUN PUQ PUR TO0 UNC ZZ0 !!!",
    },
    # Schiller et al. (1999), "Guidelines für das Tagging deutscher Textcorpora mit STTS", as HanTa's German model has
    # it: ADJ(A) is STTS's ADJA, VV(FIN) VVFIN; NNA are nominalised adjectives, NNI nominalised infinitives
    "STTS": {
        "NN": "NN NNA NNI",
        "NR": "NE",
        "DT": "ART PDAT PIAT",
        "CD": "CARD",
        "V": "VA(FIN) VA(IMP) VA(INF) VA(PP) VM(FIN) VM(INF) VM(PP) VV(FIN) VV(IMP) VV(INF) VV(IZU) VV(PP)",
        "JJ": "ADJ(A) ADJ(D)",
        "AD": "ADV PROAV PTKNEG PWAV",
        "OTHER": "APPO APPR APPRART APZR FM ITJ KOKOM KON KOUI KOUS PDS PIS PPER PPOSAT PPOSS PRELAT PRELS PRF PTKA "
        "PTKANT PTKVZ PTKZU PWAT PWS TRUNC XY $( $, $.",
    },
}
CLASS_OF = {
    tagset: {tag: name for name, tags in rows.items() for tag in tags.split()} for tagset, rows in _TAGS.items()
}


def classes(tags: Iterable[str], tagset: str, where: str) -> list[str]:
    """The class of each tag of a sentence.

    Raises:
        InputError: a tag that `tagset` does not have; `where` says whose it is.
    """
    known = CLASS_OF[tagset]
    try:
        return [known[tag] for tag in tags]
    except KeyError as error:
        raise InputError(f"{where}: {error.args[0]!r} is no tag of {tagset}; it has: {' '.join(known)}") from None
