"""`python -m fairseq_plugins list`: what it says of every variant, against the variants themselves."""

import csv
import re

import pytest

from fairseq_plugins import declarations, registry
from fairseq_plugins.__main__ import main
from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.core.tree import tree_map
from fairseq_plugins.declarations import FAMILY, OURS, SYMBOL, WRITTEN_FROM
from fairseq_plugins.listing import formats, kuang
from fairseq_plugins.listing.architectures import NONE, Row, Sizes, parameters, row, sizes_type, system
from stages.reporting.claims.claims import reconstructed
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.support import TINY, build, random_batch

NAMES = registry.names()
COMBINATIONS = ("attnmt", "lvnmt")  # have the terms that somebody names
PUBLISHED = [name for name in support.recurrent() if name not in COMBINATIONS]
BATCH = random_batch([3, 2], [2, 2])


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    sizes = Sizes()
    return {name: row(name, sizes) for name in NAMES}


def printed(capsys: pytest.CaptureFixture, *arguments: str) -> str:
    assert main(["list", *arguments]) == 0
    return capsys.readouterr().out


# What is said of a variant


@pytest.mark.parametrize("name", NAMES)
def test_paper_formula_and_confidence_are_never_missing(rows, name):
    found = rows[name]
    assert found.name == name
    assert ": " in found.title
    assert re.search(r"\b(19|20)\d\d\b|dl4mt|this project", found.paper)
    assert ("e_ij = " in found.formula) != (name == "rnnencdec")
    assert not [field for field in map(str, found) if re.search(r"``|\.$|^$", field)]
    assert re.match(r"(very high|high|medium|low)\b", found.confidence) or name == "attnmt"


def test_reconstructions_are_called_so_and_nothing_else_is(rows):
    guesses = {"feng_recatt", "feng_fertdec", "feng_both", "dhea"}
    assert {name for name, found in rows.items() if found.paper.startswith("Reconstruction")} == guesses
    assert {name for name, found in rows.items() if found.confidence == "low"} == guesses
    assert {name for name in rows if reconstructed({name: 1})} == guesses


def test_what_was_decided_here_is_said_of_a_system_and_of_each_of_its_terms(rows):
    said = {
        (system.name, one.said[OURS])
        for system in declarations.systems()
        for one in (system, *system.terms)
        if OURS in one.said
    }
    assert [(name, ours) for name, ours in said if ours not in rows[name].decided_here] == [] and len(said) > 20
    assert rows["rnnsearch"].decided_here == NONE


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_was_decided_here_is_said_twice(rows, name):
    sentences = rows[name].decided_here.split("; ")
    assert len(sentences) == len(set(sentences))


def leaves(tree) -> list:
    found = []
    tree_map(found.append, tree)
    return found


@pytest.mark.parametrize("name", PUBLISHED)
def test_state_is_missing_only_where_there_is_none(rows, name):
    """Beside the decoder's one vector s_i, and what a fixed context comes to in the recurrence."""
    model = build(VariantModel(arch=name)).model
    decoder, source = model.decoder, model.encoder(BATCH.source, BATCH.lengths).source
    source = decoder.attention.annotate(source)
    state = leaves(decoder.attention.start(decoder.attention.memory(source)))
    carried = len(leaves(decoder.cell.start(source))) - decoder.attention.fixed_context
    assert (rows[name].state == NONE) == (not state and carried == 1)


@pytest.mark.parametrize("name", PUBLISHED)
def test_loss_is_missing_only_where_there_is_none(rows, name):
    model = build(VariantModel(arch=name)).model
    has_loss = model.decoder.attention.has_loss or type(model).auxiliary_losses is not RecurrentModel.auxiliary_losses
    said = rows[name].loss
    assert has_loss == (said != NONE and "by default none" not in said)


@pytest.mark.parametrize("name", COMBINATIONS)
def test_a_combination_leaves_state_and_loss_to_its_terms(rows, name):
    assert (rows[name].terms, rows[name].state, rows[name].loss) == ("those of --terms", NONE, NONE)


@pytest.mark.parametrize("name", PUBLISHED)
def test_terms_are_those_of_the_model(rows, name):
    terms = getattr(build(VariantModel(arch=name)).model.decoder.attention, "terms", {})
    assert rows[name].terms == (", ".join(terms) or NONE)


def shown(text: str) -> set[str]:
    """The symbols of terms that stand in a text; one that is only a part of another there does not count."""
    symbols = {found.said[SYMBOL] for found in declarations.terms()}
    there = {symbol for symbol in symbols if re.search(rf"(?<!\w){re.escape(symbol)}(?!\w)", text)}
    return {symbol for symbol in there if not any(symbol in other and symbol != other for other in there)}


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_term_shows_in_formula_or_loss_and_no_other_does(rows, name):
    found = shown(f"{rows[name].formula}; {rows[name].loss}")
    assert found == {declarations.term(term.name).said[SYMBOL] for term in system(name).terms}


@pytest.mark.parametrize("found", declarations.terms(), ids=lambda found: found.name)
def test_a_term_says_where_it_belongs(found):
    assert {FAMILY, SYMBOL, WRITTEN_FROM} <= set(found.said)


@pytest.mark.parametrize("name", NAMES)
def test_a_system_says_where_it_belongs(rows, name):
    assert rows[name].family != NONE
    assert rows[name].written_from != NONE or name == "attnmt"


def test_a_system_without_a_word_of_its_own_says_what_its_terms_say(rows):
    assert rows["ba_nmt"].state == f"{rows['sa_nmt'].state}; {rows['ta_nmt'].state}"
    assert rows["covemb_gru_sub"].loss == rows["covemb_gru"].loss == rows["covemb_sub"].loss


# Parameters


@pytest.mark.parametrize("name", [name for name in NAMES if name != "transformer_aligned"])  # its sizes are fairseq's
def test_parameters_are_those_of_a_real_model(name, monkeypatch):
    monkeypatch.setattr(support, "TARGET_TYPES", support.SOURCE_TYPES)
    model = build(VariantModel(arch=name, terms=[] if name == "attnmt" else None)).model
    widths = {size: value for size, value in TINY.model_dump().items() if size.endswith("_dim")}
    found = row(name, sizes_type()(**widths, vocabulary=len(support.dictionary(support.SOURCE_TYPES))))
    assert found.parameters == sum(parameter.numel() for parameter in model.parameters())


def test_parameters_by_hand():
    """RNNsearch* at E = H = A = R = 1, C = 2 and 5 words: encoder, s_0, conditional GRU, attention, readout, output."""
    encoder, start, cell = 5 + 2 * 3 * (1 + 1 + 2), 2 + 1, 3 * (1 + 1 + 1) + 3 * (2 + 1 + 1)
    attention, readout, output = 1 + 2 + 2, 1 + 1 + 2 + 1, 5 + 5 + 5
    expected = encoder + start + cell + attention + readout + output
    assert parameters("rnnsearch_star", {"embed_dim": 1, "hidden_dim": 1, "vocabulary": 5}) == expected


def test_sizes_are_options(capsys):
    [small], [large] = (
        csv.DictReader(
            printed(capsys, "ba_nmt", "--format", "csv", "--embed-dim", "8", "--hidden-dim", "8", *more).splitlines()
        )
        for more in ([], ["--history-dim", "16"])
    )
    assert int(large["parameters"]) > int(small["parameters"])


def test_without_such_sizes_no_parameters_are_counted(capsys):
    """Four heads cannot divide 333 units; the Transformer has sizes of its own."""
    names = ("multihead_additive", "transformer_aligned", "rnnsearch")
    rows = csv.DictReader(printed(capsys, *names, "--format", "csv", "--hidden-dim", "333").splitlines())
    assert [row["parameters"] == NONE for row in rows] == [True, True, False]


# Kuang et al. 2018


def test_kuangs_increments():
    E, H, V = 620, 1000, 30_000
    encoder, recurrence = 6 * (E * H + H * H + 2 * H), 3 * H * (E + H + 1) + 3 * H * (2 * H + H + 1)
    attention, start = H * H + 2 * H * H + 2 * H, 2 * H * H + H
    for k, (before, R) in enumerate([(620, 620), (1000, 500)]):
        base = 2 * V * E + encoder + recurrence + attention + start + before * (H + E + 2 * H + 1) + V * (R + 1)
        source = E * (3 * H + H + H + before)
        assert [line.ours[k] for line in kuang.lines()] == [base, source, 3 * E * H, E * E, source + E * E]
    printed = {line.system: (line.printed, line.ours[1] / 1e6) for line in kuang.lines()}
    assert {name for name, (theirs, ours) in printed.items() if round(ours, 1) == theirs} == {
        "+ source side", "+ W alone", "+ direct",
    }  # fmt: skip
    assert f"{(2 * V * E + 500 * V + encoder + recurrence) / 1e6:.1f} million before" in kuang.REMARK


@pytest.mark.slow
def test_kuang_stands_below_the_whole_list_alone(capsys):
    everything = printed(capsys)
    assert "Kuang et al. 2018: parameters" in everything
    assert [line for line in everything.splitlines() if line in NAMES] == NAMES
    assert "Kuang et al. 2018: parameters" not in printed(capsys, *NAMES)


# Formats


def test_csv_holds_the_rows(rows):
    read = [*csv.reader(formats.as_csv([*rows.values()]).splitlines())]
    assert read == [[*Row._fields], *[[*map(str, found)] for found in rows.values()]]


def test_markdown_has_one_table_of_equal_columns(rows):
    lines = formats.as_markdown([*rows.values()]).splitlines()
    cells = [re.split(r" (?<!\\)\| |^\| | \|$", line) for line in lines]
    assert {len(row) for row in cells} == {len(Row._fields) + 2}
    assert [row[1] for row in cells[2:]] == [f"`{name}`" for name in NAMES]
    assert all(line.count("|") - line.count(r"\|") == len(Row._fields) + 1 for line in lines)


@pytest.mark.parametrize("width", [50, 120])
def test_text_keeps_the_width_and_every_word(rows, width):
    text = formats.as_text([*rows.values()], width)
    assert max(map(len, text.splitlines())) <= width
    blocks = [block.split() for block in text.split("\n\n")]
    for found, words in zip(rows.values(), blocks, strict=True):
        fields = {**found._asdict(), "parameters": found.parameters}
        if found.parameters != NONE:
            fields["parameters"] = f"{found.parameters:,}"
        assert words == [found.name, *(word for name in Row._fields[1:] for word in [name, *fields[name].split()])]


@pytest.mark.parametrize("form", ["text", "markdown", "csv"])
def test_only_the_variants_named_in_that_order(form, capsys):
    found = printed(capsys, "ta_nmt", "sa_nmt", "--format", form)
    places = [found.find(name) for name in ("ta_nmt", "sa_nmt")]
    assert 0 <= places[0] < places[1]
    assert "ba_nmt" not in found
    assert ("vocabulary = 30000" in found) == (form != "csv")


# Bad usage


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ba_nmtt", "the nearest names are: ba_nmt"),
        ("rnnsearch_strr", "the nearest names are: rnnsearch_star, rnnsearch."),  # each once, also when registered
        ("nosuch", "There is no architecture 'nosuch'; there are: "),
        ("transformer", "'transformer' is fairseq's own; of this project are:"),
    ],
)
def test_an_unknown_variant_is_one_sentence(name, sentence, capsys):
    assert main(["list", "rnnsearch", name]) == 1
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert sentence in err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--hidden-dim", "0"], "--hidden-dim is 0, but must be a number of at least 1"),
        (["--vocabulary", "4"], "--vocabulary is 4, but must be at least 5"),
        (["--format", "html"], "invalid choice: 'html'"),
    ],
)
def test_bad_options(options, sentence, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["list", "rnnsearch", *options])
    assert stopped.value.code == 2
    assert sentence in capsys.readouterr().err
