"""What the command writes: columns, links, objects and maps."""

import json

import pytest
from PIL import Image

from stages.files.errors import InputError

pytestmark = pytest.mark.training

LINES = "mao ba yu chi .\n\nniao ba shu zhui .\n"


def test_scores_stand_in_a_column_before(translate):
    plain = translate(LINES).splitlines()
    columns = [line.split("\t") for line in translate(LINES, "--scores").splitlines()]
    assert [text for _, text in columns] == plain
    assert columns[1] == ["", ""]
    assert all(float(score) < 0 for score, _ in (columns[0], columns[2]))


def test_n_best_lists(translate):
    rows = [line.split("\t") for line in translate(LINES, "--nbest", "3").splitlines()]
    assert [number for number, _, _ in rows] == ["1", "1", "1", "2", "3", "3", "3"]
    assert rows[3] == ["2", "", ""]
    for of in (rows[:3], rows[4:]):
        scores = [float(score) for _, score, _ in of]
        assert scores == sorted(scores, reverse=True)
    best = [rows[k][2] for k in (0, 3, 4)]
    assert best == translate(LINES).splitlines()


def test_links_are_the_strongest_source_words(translate):
    objects = [json.loads(line) for line in translate(LINES, "--form", "json").splitlines()]
    links = translate(LINES, "--form", "links").splitlines()
    for one, line in zip(objects, links, strict=True):
        (found,) = one["translations"]
        if one["source"] is None:
            assert (line, found["text"], found["attention"]) == ("", "", None)
            continue
        expected = set()
        for t, weights in enumerate(found["attention"][: len(found["target"])]):
            assert len(weights) == len(one["source"]) + 1 and sum(weights) == pytest.approx(1, abs=1e-3)
            s = weights.index(max(weights))
            if s < len(one["source"]):
                expected.add(f"{s}-{t}")
        assert set(line.split()) == expected and found["links"] == line
        assert found["text"] == " ".join(found["target"])
    assert [one["line"] for one in objects] == [1, 2, 3]
    assert objects[0]["source"] == ["mao", "ba", "yu", "chi", "."]


def test_a_system_without_attention(translate):
    (one,) = map(json.loads, translate("mao ba yu chi .", "--form", "json", system="rnnencdec").splitlines())
    assert one["translations"][0]["attention"] is one["translations"][0]["links"] is None
    with pytest.raises(InputError, match="rnnencdec does not attend, so it has no links"):
        translate("mao .", "--form", "links", system="rnnencdec")
    with pytest.raises(InputError, match="rnnencdec does not attend, so there is no map"):
        translate("mao .", "--map", "map.png", system="rnnencdec")


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_map_of_one_sentence(translate, tmp_path, kind):
    path = tmp_path / f"a.b.{kind}"
    assert translate("mao ba yu chi .", "--map", str(path)) == translate("mao ba yu chi .")
    if kind == "png":
        width, height = Image.open(path).size
        assert min(width, height) > 100
    else:
        assert "<svg" in path.read_text(encoding="utf-8")
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name, "given"]


@pytest.mark.parametrize(
    ("text", "file", "message"),
    [
        ("mao .\nniao .\n", "map.png", "a map shows one sentence, but the input has more"),
        ("", "map.png", "a map shows one sentence, but the input has none"),
        ("\n", "map.png", "the line was not translated, so there is no map"),
        ("mao .\n", "map.pdf", r"map\.pdf: a map is drawn as \.png or \.svg"),
        ("mao .\n", "absent/map.png", r"absent: no such folder; make it, or correct MAP"),
    ],
)
def test_maps_that_cannot_be_drawn(translate, text, file, message):
    with pytest.raises(InputError, match=message):
        translate(text, "--map", file)
