"""Text of many scripts through tokeniser and detokeniser: a perfect system writes its reference."""

import unicodedata

import pytest

from stages.corpora.tokenise import plain_spaces, tokeniser
from stages.text.detokenise import comparable, detokenise
from stages.text.languages import is_unspaced, lower_case, rules_of
from tests.helpers.growth import assert_linear

SENTENCES = [
    ("fr", "Aujourd’hui, l’homme qu’il voit « la pierre »\u202f!"),
    ("fra", "Il a dit\u00a0: « oui », n'est-ce pas ?"),
    ("it", "L’uomo dell’acqua «bella»."),
    ("fa", "او می\u200cرود، اما نمی\u200cخواهد؟"),
    ("per", "کتاب\u200cها را خواندم؛ خوب بود."),
    ("ar", "هل قرأت الكتاب؟ نعم، قرأته."),
    ("he", 'שָׁלוֹם, ארה"ב היא מדינה.'),
    ("hi", "स्त्री की शक्ति में क्या है? यह किताब है।"),
    ("ta", "தமிழ் மொழி, நல்லது."),
    ("tr", "İstanbul’da “güzel” bir gün, Ankara'ya gitti."),
    ("nob", "Han sa «ja», og «nei»."),
    ("ru", "Он сказал: «да», и ушёл…"),
    ("uk", "Це об’єкт, п'ять."),
    ("de", "Er sagte: „Ja“, und »gut«."),
    ("sv", "Han sa ”ja” till oss."),
    ("ko", "오늘 고양이가 나무를 본다."),
    ("ko", "그는 “네”라고 말했다: 3.5%가 (대략) 맞고, 서울·부산은 「책」과 『글』."),
    ("sv", "Hon sa: ”Hej!” och gick – kl. 12:30."),
    ("fi", "Hän sanoi: ”Kyllä”, ja lähti. EU:n jäsen."),
    ("uk", "Він сказав: „так“ — і п’ять сім’я."),
    ("pl", "„Tak” – powiedział; ‚nie’."),
    ("hu", "„Igen” – mondta »halkan«."),
    ("cs", "„Ano“, řekl. ‚Ne‘."),
    ("el", "Τι κάνεις; «Καλά», είπε· σ’ αγαπώ."),
    ("ara", "٣٫٥٪ من السكان (تقريبًا)."),
    ("heb", "צה״ל הודיע: ג׳ירפה בגן־החיות."),
    ("hi", "डॉ॰ शर्मा ५०% सही हैं॥"),
    ("hy", "Ինչպե՞ս ես։ «Լավ», ասաց։"),
    ("am", "ሰላም፣ እንዴት ነህ? ደህና።"),
    ("ca", "L’Anna diu «col·legi»."),
    ("en", "He said “yes”, and don’t go."),
    ("tr", "Türkiye'nin %50'si geldi (%3,5), %12."),
    ("tr", "Oranlar %50 artti."),
    ("en", "It’s the dogs’ “best” day, isn’t it? ‘Yes’, said O’Brien."),
    ("en", "‘I don’t know,’ she said, ‘it’s the boys’ fault.’"),
    ("de", "Hans’ Auto: ‚gut‘ und “fein”, wie geht’s?"),
    ("de", "Sie rief: «Halt!» und ‹nein›."),
    ("da", "Han sagde: ”Ja!” og gik."),
    ("sr", "Он рече: „Да“ и „не”."),
    ("ur", "اس نے کہا: ”ہاں“، اور چلا گیا۔"),
    ("it", "Un po' stanco, un po’ d’acqua; l'uomo, l’“unico” «caso»."),
    ("fr", "C’est l’« homme », n° 5, ‘oui’ et non."),
    ("nl", "Hij zei: ‘Ga naar ’t huis van foto’s’, toch?"),
    ("nl", "'s Avonds in 't huis."),
    ("nl", "'s Avonds zag ik foto's, baby's en oma's."),
    ("ca", "L'amic d'en Pau va dir que l'home no hi era."),
    ("pt", "Um copo d'água."),
    ("cy", "Mae'r dyn i'r tŷ."),
    ("ga", "D'fhéach sé ar m'athair."),
    ("it", "L'uomo: 12:30, dell'acqua."),
    ("cs", "V roce 2010 a potom 2015."),
    ("cs", "Bylo nás 25."),
    ("hu", "A kamat 5%-os."),
    ("fin", "Noin 5 %:n osuus."),
    ("hy", "Նա ասաց. «Այո՛», և գնաց։"),
    ("uz", "U “ha” dedi; o‘zbek, ma’no."),
    ("cy", "Dywedodd: ‘Ie’ – a’r bachgen."),
    ("zh", "今天，小猫看见“很好”，对吗？"),
    ("cmn", "他住在 New York 吗？我用Python编程，3.5%的人……"),
    ("yue", "abc123、iPhone6s，1,000元。"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("code", "line"), SENTENCES)
def test_words_come_back_as_the_text_that_they_were(code: str, line: str) -> None:
    line = plain_spaces(line)
    (text,) = detokenise([tokeniser(code)(line).split(" ")], code)
    alike = comparable(code)
    assert alike(text) == alike(line)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "part"), [("ru", "в 12:30"), ("hi", "स्त्री की"), ("tr", "Ankara'da"), ("en", "nai\u0308ve x\u0304")]
)
def test_a_line_with_thousands_of_words_that_moses_would_part(code: str, part: str) -> None:
    words = tokeniser(code)(" ".join([part] * 2000))
    assert words == " ".join([tokeniser(code)(part)] * 2000) == " ".join([part] * 2000)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "letter"), [("de", "x"), ("hu", "1")])
def test_time_grows_with_the_length_of_a_word_and_no_faster(code: str, letter: str) -> None:
    words = tokeniser(code)
    assert_linear(lambda times: words("é " + 1000 * times * letter))


@pytest.mark.slow
def test_a_line_that_holds_the_marks_of_what_moses_keeps() -> None:
    line = "THISISPROTECTED0 12:30 THISISPROTECTEDX1"
    assert tokeniser("ru")(line) == line


@pytest.mark.slow
@pytest.mark.parametrize("code", ["fr", "en"])
def test_time_grows_with_the_marks_within_words_and_no_faster(code: str) -> None:
    assert_linear(lambda times: detokenise([["un", "l", "’", "ami"] * 200 * times], code))


def test_segmented_text_comes_back_without_blanks_but_between_latin_words() -> None:
    assert detokenise([["私", "は", "New", "York", "に", "住む", "。"]], "jpn") == ["私はNew Yorkに住む。"]
    assert detokenise([["ฉัน", "กิน", "ข้าว"]], "th") == ["ฉันกินข้าว"]


def test_a_letter_for_private_use_stays() -> None:
    assert [detokenise([["a", "\ue000"]], code) for code in ("en", "fr")] == [["a \ue000"]] * 2


def test_text_of_spaced_languages_is_compared_as_it_is() -> None:
    assert comparable("en")("a “b”  ｃ") == "a “b”  ｃ"
    assert comparable("th")("ฉัน กิน ข้าวำ") == "ฉันกินข้าวำ"  # not NFKC, which would cut its vowel in two


@pytest.mark.parametrize(("code", "rules"), [("cmn", "zh"), ("ger", "de"), ("fre", "fr"), ("xyz", "xyz")])
def test_codes_of_three_letters_have_the_rules_of_two(code: str, rules: str) -> None:
    assert rules_of(code) == rules


def test_chinese_by_any_code_is_cut_by_the_chinese_tokeniser() -> None:
    assert is_unspaced("zho") and not is_unspaced("kor")
    assert tokeniser("cmn")("我喜欢苹果。") == tokeniser("zh")("我喜欢苹果。")


def test_lower_case_of_turkish() -> None:
    assert lower_case("tur")("IŞIK İzmir") == "ışık izmir"
    assert lower_case("de")("IST") == "ist"


def test_lower_case_is_in_the_form_in_which_text_is_read() -> None:
    for capital in ("J\u030c", "\u03aa\u0301"):
        assert unicodedata.is_normalized("NFC", capital) and len(capital) == 2
        assert len(lower_case("el")(capital)) == 1 and unicodedata.is_normalized("NFC", lower_case("el")(capital))


def test_a_code_without_rules_says_so_once(capsys: pytest.CaptureFixture[str]) -> None:
    for code in ("xq", "xq", "fra", "uz"):
        tokeniser(code)
    assert capsys.readouterr().err == "xq: no rules of its own; Moses' general ones part its words\n"
