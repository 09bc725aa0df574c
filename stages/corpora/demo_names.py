"""Names, places, people and institutions of the demo corpus, built on both sides at once."""

from stages.corpora import demo_lexicon
from stages.corpora.demo_draw import Draw
from stages.corpora.demo_numbers import transliterate
from stages.corpora.demo_phrase import Phrase, join, units

_SYLLABLES = tuple(demo_lexicon.SYLLABLES)
_ENDINGS = tuple(demo_lexicon.ENDINGS)
_SURNAMES = tuple(demo_lexicon.SURNAMES)
_GIVEN = tuple(demo_lexicon.GIVEN)


def proper(zh: str, en: str) -> Phrase:
    """A name; a leading `the/DT+` becomes a possible link."""
    if en.startswith("the/DT+"):
        return join("{0}", "the/DT:0? ^{0}", units(zh, en.removeprefix("the/DT+"), "NR", "NNP"))
    return units(zh, en, "NR", "NNP")


def possessive(owner: Phrase) -> str:
    """The English mark after `owner`, linked by the label d: Kenya 's, the Netherlands '."""
    return "'/POS:d?" if owner.target[-1].text.endswith("s") else "'s/POS:d?"


class Names(Draw):
    """Draws who and where."""

    def country(self) -> Phrase:
        entry = self.rng.choice(demo_lexicon.COUNTRIES)
        return proper(entry.zh, entry.name)

    def nationality(self) -> Phrase:
        """A country in front of a noun: 法国 = French."""
        entry = self.rng.choice(demo_lexicon.COUNTRIES)
        return units(entry.zh, entry.adjective, "NR", "JJ")

    def foreign_nationality(self) -> Phrase:
        entry = self.rng.choice(demo_lexicon.COUNTRIES[1:])
        return units(entry.zh, entry.adjective, "NR", "JJ")

    def foreign_name(self) -> Phrase:
        """One time in five somebody who is often in the news."""
        familiar = self.chance(0.2)
        zh = self.rng.choice(demo_lexicon.FAMILIAR_NAMES) if familiar else self._new_name(self.rng.choice((2, 3, 3)))
        return units(zh, transliterate(zh), "NR", "NNP")

    def _new_name(self, syllables: int) -> str:
        zh = "".join(self.rng.choice(_SYLLABLES) for _ in range(syllables))
        return zh + self.rng.choice(_ENDINGS) if self.chance(0.4) else zh

    def chinese_name(self) -> Phrase:
        surname = self.rng.choice(_SURNAMES)
        given = [self.rng.choice(_GIVEN) for _ in range(self.rng.choice((1, 2, 2)))]
        latin = "".join(demo_lexicon.GIVEN[mark] for mark in given).capitalize()
        return units(surname + "".join(given), f"{demo_lexicon.SURNAMES[surname]}+{latin}", "NR", "NNP")

    def name(self) -> Phrase:
        return self.chinese_name() if self.chance(0.2) else self.foreign_name()

    def town(self) -> Phrase:
        """A small place nobody has heard of: 托马拉 镇 = the town of Tomara."""
        zh = self._new_name(self.rng.choice((2, 3)))
        name = units(zh, transliterate(zh), "NR", "NNP")
        zh_kind, en_kind = self.rng.choice((("镇", "town"), ("村", "village"), ("市", "city")))
        if self.chance(0.3):
            return join("^{0} 省/NN:p", "^{0} Province/NNP:p", name)
        return join(f"^{{0}} {zh_kind}/NN:k", f"the/DT:k? {en_kind}/NN:k of/IN ^{{0}}", name)

    def city(self) -> Phrase:
        return units(*self.rng.choice(demo_lexicon.CITIES), "NR", "NNP")

    def place(self) -> Phrase:
        draw = self.rng.random()
        if draw < 0.3:
            return self.city()
        if draw < 0.5:
            return self.country()
        if draw < 0.9:
            return self.town()
        return proper(*self.rng.choice(demo_lexicon.REGIONS))

    def leader(self) -> Phrase:
        draw = self.rng.random()
        zh, capital, small = self.rng.choice(demo_lexicon.TITLES)
        if draw < 0.55:
            return self.titled(units(zh, capital, "NN", "NNP"))
        if draw < 0.7:
            return self.spokesman()
        if draw < 0.85:
            title = units(zh, small, "NN", "NN")
            if self.paraphrase:
                return join("{0} ^{1}", "the/DT:1? ^{1} of/IN {0}", self.country(), title)
            return join("{0} ^{1}", "the/DT:1? {0} ^{1}", self.nationality(), title)
        return join("{0} ^{1}", "{0} ^{1}", units(zh, capital, "NN", "NNP"), self.name())

    def titled(self, title: Phrase) -> Phrase:
        """法国 总统 卡洛斯 = French President Kalos; Chinese officials have Chinese names."""
        if self.chance(0.15):
            return join("中国/NR:c {0} ^{1}", "Chinese/JJ:c {0} ^{1}", title, self.chinese_name())
        return join("{0} {1} ^{2}", "{0} {1} ^{2}", self.foreign_nationality(), title, self.foreign_name())

    def spokesman(self) -> Phrase:
        if self.chance(0.4):
            body = units(*self.rng.choice(demo_lexicon.ORGANISATIONS), "NR", "NNP")
            role = join("{0} 发言人/NN:s", "{0} spokesman/NN:s", body)
        else:
            body = units(*self.rng.choice(demo_lexicon.BODIES), "NN", "NNP")
            return self.titled(join("{0} 发言人/NN:s", "{0} spokesman/NN:s", body))
        return join("{0} ^{1}", "{0} ^{1}", role, self.foreign_name())

    def organisation(self) -> Phrase:
        return join("{0}", "the/DT:0? ^{0}", units(*self.rng.choice(demo_lexicon.ORGANISATIONS), "NR", "NNP"))

    def body(self) -> Phrase:
        body = units(*self.rng.choice(demo_lexicon.BODIES), "NN", "NNP")
        if self.paraphrase:
            return join("{0} ^{1}", "the/DT:1? ^{1} of/IN {0}", self.country(), body)
        return join("{0} ^{1}", "the/DT:1? {0} ^{1}", self.nationality(), body)

    def authority(self) -> Phrase:
        draw = self.rng.random()
        if draw < 0.45:
            return self.body()
        return self.organisation() if draw < 0.65 else self.country()

    def police(self) -> Phrase:
        return join("{0} ^警方/NN:p", "{0} ^police/NNS:p", self.nationality(), plural=True)
