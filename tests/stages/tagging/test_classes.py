"""The classes of tags: every tag of every tagset has one, and there is no other."""

import pytest
from HanTa.HanoverTagger import HanoverTagger
from jieba import posseg

from stages.files.errors import InputError
from stages.tagging import chinese, hanta
from stages.tagging.classes import CLASS_OF, CLASSES, classes

DOCUMENTED = {
    # Xia (2000), table of contents of section 2
    "CTB": "VA VC VE VV NR NT NN LC PN DT CD OD M AD P CC CS DEC DEG DER DEV AS SP ETC MSP IJ ON LB SB BA JJ FW PU",
    # Santorini (1990), table 2, and the treebank's punctuation
    "PTB": "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN "
    "VBP VBZ WDT WP WP$ WRB # $ . , : ( ) \" ' ` '' `` -LRB- -RRB-",
    # https://ucrel.lancs.ac.uk/claws5tags.html; NULL is not for words
    "C5": "AJ0 AJC AJS AT0 AV0 AVP AVQ CJC CJS CJT CRD DPS DT0 DTQ EX0 ITJ NN0 NN1 NN2 NP0 ORD PNI PNP PNQ PNX POS PRF "
    "PRP PUL PUN PUQ PUR TO0 UNC VBB VBD VBG VBI VBN VBZ VDB VDD VDG VDI VDN VDZ VHB VHD VHG VHI VHN VHZ VM0 VVB VVD "
    "VVG VVI VVN VVZ XX0 ZZ0",
}


@pytest.mark.parametrize("tagset", DOCUMENTED)
def test_every_documented_tag_has_a_class(tagset: str) -> None:
    assert set(DOCUMENTED[tagset].split()) <= set(CLASS_OF[tagset])


@pytest.mark.parametrize(("model", "tagset"), hanta.MODELS.values())
def test_every_tag_of_hanta_has_a_class(model: str, tagset: str) -> None:
    hanover = HanoverTagger(f"morphmodel_{model}.pgz")
    assert {hanover.int2tag[number] for number in hanover.LP_wtag} <= set(CLASS_OF[tagset])


def test_every_tag_of_jieba_has_a_class() -> None:
    tags = set(posseg.dt.word_tag_tab.values()) | {tag for _, tag in posseg.start_P}
    assert tags - chinese.UNTAGGED <= set(CLASS_OF["jieba"])


@pytest.mark.parametrize("tagset", CLASS_OF)
def test_the_table_has_no_other_class(tagset: str) -> None:
    assert set(CLASS_OF[tagset].values()) <= set(CLASSES)


@pytest.mark.parametrize(
    ("tagset", "tags", "expected"),
    [
        ("CTB", "NN NR NT DT CD VV VC VE VA JJ AD M OD PU", "NN NR NT DT CD V V V V JJ AD OTHER OTHER OTHER"),
        ("PTB", "NNS NNP DT CD VBZ MD JJR RB PRP$ WDT .", "NN NR DT CD V V JJ AD OTHER OTHER OTHER"),
        ("jieba", "vn ns t rz m v a d uj x", "NN NR NT DT CD V JJ AD OTHER OTHER"),
        ("C5", "NN2 NP0 AT0 CRD VM0 ORD XX0 DPS", "NN NR DT CD V JJ AD OTHER"),
        ("STTS", "NN NE ART CARD VV(IZU) ADJ(D) PTKNEG PPOSAT", "NN NR DT CD V JJ AD OTHER"),
    ],
)
def test_classes(tagset: str, tags: str, expected: str) -> None:
    assert classes(tags.split(), tagset, "here") == expected.split()


def test_unknown_tag() -> None:
    with pytest.raises(InputError, match=r"dev\.pos\.zh, line 3: 'NNP' is no tag of CTB; it has: NN "):
        classes(["NN", "NNP"], "CTB", "dev.pos.zh, line 3")
