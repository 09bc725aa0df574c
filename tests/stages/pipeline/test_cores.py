"""As many systems side by side as their threads find cores, of those that a container has."""

import os

import pytest

from stages.pipeline import cores


@pytest.mark.parametrize(
    ("text", "threads", "expected"),
    [
        ("max 100000", 1, 8),
        ("max 100000", 3, 2),
        ("max 100000", 1000, 1),
        ("200000 100000", 1, 2),
        ("250000 100000", 2, 1),
        ("50000 100000", 1, 1),
        ("9900000 100000", 1, 8),
        (None, 1, 8),
    ],
)
@pytest.mark.parametrize("group", ["/", "/system.slice/a.service"])
def test_the_share_of_a_container_counts(tmp_path, monkeypatch, text, threads, expected, group):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.setattr(cores, "CGROUPS", tmp_path)
    monkeypatch.setattr(cores, "OWN", tmp_path / "own")
    (tmp_path / "own").write_text(f"1:name=systemd:/docker/abc\n0::{group}\n")
    if text is not None:
        path = tmp_path / group.strip("/") / "cpu.max"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
    assert cores.systems_at_once(threads) == expected
