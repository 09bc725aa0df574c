"""The fuzzer's targets hold for sound input and for a second of mutations each; `make attack` takes longer."""

import pytest

from tests.attack.fuzz import mutate
from tests.attack.fuzz_targets import TARGETS


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_a_reader_refuses_or_reads_whatever_it_gets(tmp_path, name):
    target = TARGETS[name](tmp_path)
    for content in target.sound:
        target.one(content)
    assert mutate(target.one, target.sound, seconds=1, seed=1) > 10


def test_a_reader_that_fails_is_noticed_and_its_input_printed(capsys):
    def careless(content: bytes) -> None:
        if content[:1] not in (b"s", b""):
            raise IndexError

    with pytest.raises(IndexError):
        mutate(careless, [b"sound"], seconds=5, seed=1)
    assert capsys.readouterr().err.startswith("input: b'")
