"""Saves of a training: whatever is added and damaged in whatever order, it goes on from what was saved, unchanged."""

import contextlib
import io
from pathlib import Path

import torch
from hypothesis import given
from hypothesis import strategies as st

from stages.training.saves import BEST, EPOCHS, LAST, LOG, SUMS, Saves
from tests.helpers.damage import DAMAGES

ADD, RESTORE = "add", "restore"
damages = st.tuples(st.integers(0, 1), st.sampled_from([LAST, BEST, EPOCHS, LOG, SUMS]), st.sampled_from(list(DAMAGES)))
steps = st.lists(st.just(ADD) | st.just(RESTORE) | st.just("add the best") | damages, max_size=9)


@given(steps)
def test_training_goes_on_from_the_newest_save_that_nobody_touched_or_one_before(tmp_path_factory, steps):
    scratch = tmp_path_factory.mktemp("scratch")
    saves, states, touched, log = Saves(scratch), {}, set(), scratch / LOG
    for number, step in enumerate([*steps, RESTORE], 1):
        kept = sorted(saves.folder.glob("*"))
        if isinstance(step, tuple):
            touched |= {path.parent for path in _damaged(kept, *step)}
        elif step == RESTORE:
            with contextlib.redirect_stderr(io.StringIO()) as said:
                saves.restore()
            _is_sound(saves, states, log)
            newest, before = saves.newest(), max(kept, default=None)
            assert newest in touched or newest == max((path for path in kept if path not in touched), default=None)
            assert said.getvalue().count("\n") == (newest != before)
            touched -= {path for path in kept if not path.exists()}
        elif not any(path in touched for path in kept):  # a training adds to what it has restored
            with log.open("a") as handle:
                handle.write(f'{{"step": {number}}}\n')
            best = _state(number) if step != ADD else None
            saves.add(_state(number), [f'"{number}"'], best)
            before = states[kept[-1]][1] if kept else None
            states[saves.newest()] = (number, number if best else before)


def _state(number: int) -> dict[str, torch.Tensor]:
    return {"weight": torch.tensor(number)}


def _weight(path: Path) -> int:
    return torch.load(path, weights_only=True)["weight"].item()


def _damaged(kept: list[Path], which: int, name: str, kind: str) -> list[Path]:
    """The files that a damage to one of them reaches: the best model may be one file in both saves."""
    if which >= len(kept) or not (kept[which] / name).exists() or (kept[which] / name).stat().st_size == 0:
        return []
    path = kept[which] / name
    linked = [save / name for save in kept if (save / name).exists() and (save / name).samefile(path)]
    DAMAGES[kind](path)
    return [path] if kind == "missing" else linked


def _is_sound(saves: Saves, states: dict, log: Path) -> None:
    newest = saves.newest()
    if newest is None:
        assert not log.exists() and not (saves.scratch / LAST).is_symlink()
        return
    last, best = states[newest]
    assert _weight(saves.scratch / LAST) == last
    assert saves.file(EPOCHS).read_text() == f'"{last}"\n'
    assert saves.file(BEST).exists() == (best is not None)
    if best is not None:
        assert _weight(saves.file(BEST)) == best
    assert log.read_text() == saves.file(LOG).read_text()
