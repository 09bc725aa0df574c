"""What systems and terms say of themselves, and how it is read without importing them."""

import subprocess
import sys

import pytest

from fairseq_plugins import declarations
from fairseq_plugins.declarations import COMBINATIONS, Declared, paragraphs
from fairseq_plugins.listing.architectures import system

DOCUMENTED = """e = ``v``.

    Read: nothing
    more.

    Written from: a ``paper``.

    Loss: one.

    state: lower case is no key.

    Far too many words: are none either.
    """


def test_paragraphs_of_a_docstring():
    assert paragraphs(DOCUMENTED) == {"Read": "nothing more", "Written from": "a paper", "Loss": "one"}
    assert paragraphs("") == {}


@pytest.mark.parametrize("found", declarations.systems(), ids=lambda found: found.name)
def test_terms_and_formula_are_those_of_the_class(found):
    kind = system(found.name)
    assert [term.name for term in found.terms] == [term.name for term in kind.terms]
    assert found.formula == kind.__doc__.partition("\n")[0].replace("``", "").removesuffix(".")


def test_what_a_system_does_not_say_its_base_says_and_then_its_terms():
    agreement = declarations.system("cohn_agreement")
    assert [term.name for term in agreement.terms] == ["position_bias", "markov_bias", "local_fertility_bias"]
    assert agreement.family == "structural biases" and "Family" not in agreement.said
    assert agreement.says("Ours") == ["NLL(s|t) is not label-smoothed"]
    assert declarations.system("luong_local_m").says("Ours") == [
        "the source is not reversed unless reverse_source is set, its eos never; the output layer has a bias, and "
        "there is no dropout between the layers"
    ]
    assert declarations.system("luong_local_p").says("Ours") == [
        f"{declarations.system('luong_local_m').said['Ours']}; "
        "p_i stays on a word (the paper: S sig(...), the code: 1 + S' sig(...))"
    ]
    assert declarations.system("covemb_gru_sub_obj").says("Confidence") == ["high"]


def test_mechanisms_are_those_of_the_bases_too():
    luong = "fairseq_plugins.mechanisms.luong"
    assert declarations.system("luong_local_p").mechanisms == (luong, f"{luong}_local")
    assert declarations.system("rnnsearch").mechanisms == ()


@pytest.mark.parametrize(
    ("families", "expected"),
    [(("one", "one"), "one"), (("one", "other"), COMBINATIONS), ((), None)],
)
def test_the_family_of_what_has_terms(families, expected):
    terms = tuple(Declared(name, "", "", "", {"Family": name}, (), ()) for name in families)
    assert Declared("mine", "", "", "", {}, terms, ()).family == expected


@pytest.mark.parametrize("read", [declarations.system, declarations.term])
def test_what_is_not_here_says_nothing(read):
    assert read("transformer") is None


@pytest.mark.process
def test_nothing_is_imported():
    code = (
        "import sys; from fairseq_plugins.declarations import systems, terms; systems(); terms(); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "torch" not in done.stdout.split()
