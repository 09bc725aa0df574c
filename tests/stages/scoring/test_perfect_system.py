"""A system that writes the words of its references has the best of every measure, whatever the language."""

import unicodedata
from pathlib import Path

import numpy as np
import pytest

from stages.corpus import make
from stages.files.text import read_lines, write_lines
from stages.measures import bleu, bleu_v11b, chrf, ter
from stages.scoring.text_counts import Reading, by_characters, text_rows
from stages.settings.scoring import ScoreSettings, misfit
from stages.translating.translations import Translation
from tests.helpers.corpora.made_up import LOCAL, NOWHERE, local

RAW = {
    "zh": ["今天，老师买了三本《新书》，对吗？", "他说：“好的！”然后用Python写了3.5%的程序……"],
    "yue": ["佢話：「好呀！」", "今日係2020年5月3日，星期日。"],
    "ko": ["그는 “네”라고 말했다: 정말이다.", "오늘 선생님이 책(새 책)을 3.5% 싸게 샀다."],
    "ar": ["قال المعلم: «نعم»، ثم ذهب؛ هل تعرف؟", "كِتَابٌ جَدِيدٌ بنسبة ٣٫٥٪ من السعر."],
    "he": ["צה״ל הודיע: ג׳ירפה בגן־החיות.", 'המורה אמר: "טוב", והלך לארה"ב.'],
    "fas": ["او کتاب‌هایم را می‌خواند؛ آیا می‌دانید؟", "«بله»، گفت معلم ۱۲٫۵٪."],
    "hi": ["शिक्षक ने कहा, “हाँ”। क्यों?", "डॉ॰ शर्मा ५०% सही हैं॥"],
    "tr": ["İstanbul’daki öğrenci “ışıklı” kitabı alıyor.", "IŞIK ve İzmir'deki arkadaşım."],
    "rus": ["Учитель сказал: «Да», — и ушёл…", "Сегодня врач читает книгу № 5."],
    "fr": ["Aujourd’hui, l’élève lit « la lettre »\u202f!", "C’est l’été\u00a0: qu’il entre."],
    "de": [unicodedata.normalize("NFD", "Er grüßte schön: „Jäger müssen früh los“."), "Die Tür, bitte!"],
    "nob": ["Han sa: «Nei, takk!» – og gikk hjem.", "Blåbærsyltetøy er godt."],
}
SEGMENTED = {
    "ja": ["今日 、 先生 は 「 新しい 本 」 を New York で 買う 。", "友達 は ＡＢＣ を 3.5 ％ 安く 見つける ！"],
    "jpn": ["学生 は サッカー を する 。", "医者 は 手紙 を 読む か ？"],
    "th": ["วันนี้ ครู ซื้อ หนังสือ ใหม่ 3 เล่ม", "เพื่อน ของ ฉัน ทำงาน ที่ นี่"],
    "km": ["គ្រូ ទិញ សៀវភៅ ថ្មី ។", "សិស្ស អាន សំបុត្រ ។"],
    "bo": ["དགེ་རྒན་ གྱིས་ དེབ་ ཉོས་ །", "སློབ་མ་ ཡི་གེ་ ཀློག །"],
}
TOKENIZERS = {"zh": "zh", "yue": "zh", **dict.fromkeys(("ko", *SEGMENTED), "char")}


@pytest.mark.slow
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize(("target", "lines"), [*RAW.items(), *SEGMENTED.items()])
def test_the_references_own_words_lose_nothing(tmp_path: Path, target: str, lines: list[str], lowercase: bool) -> None:
    texts = {**LOCAL, "dev.de": ["ein Haus .", "das Meer ."], "dev.en": lines, "dev.second.en": lines}
    for name, text in texts.items():
        write_lines(tmp_path / name, text)
    changes = {"target": target, "tokenised": target in SEGMENTED, "lowercase": lowercase, "gold": None}
    if "de" in target:
        changes["source"] = "en"
    make("mine", local(tmp_path, **changes), NOWHERE, tmp_path / "corpus")
    words = [line.split(" ") for line in read_lines(tmp_path / "corpus" / f"dev.{target}")]
    references = [(line,) for line in read_lines(tmp_path / "corpus" / f"dev.ref0.{target}")]
    settings = ScoreSettings(
        detokenise=True, bleu_tokenize=TOKENIZERS.get(target, "13a"), aer_eos="drop", unk_replace="none"
    )
    assert misfit(settings, target) is None
    reading = Reading(settings, target, {})
    rows = text_rows([Translation(each, each, np.eye(len(each)), []) for each in words], references, reading)
    assert bleu.of_totals(rows["bleu"].sum(axis=0)).score == pytest.approx(100)
    assert ter.of_totals(rows["ter"].sum(axis=0)) == 0
    assert ("bleu_v11b" in rows) != by_characters(reading)
    if not lowercase:  # references keep their case, of which v11b folds A to Z alone
        if not by_characters(reading):
            assert bleu_v11b.of_totals(rows["bleu_v11b"].sum(axis=0)).score == pytest.approx(100)
        assert bleu.of_totals(rows["bleu_cased"].sum(axis=0)).score == pytest.approx(100)
        assert chrf.of_totals(rows["chrf"].sum(axis=0)) == pytest.approx(100)
