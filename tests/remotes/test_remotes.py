"""A shared cache: what one clone trained and pushed, another one pulls and does not train."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.stages.pipeline.toy import Toy, wait

PACKAGES = os.environ.get("REMOTES", "")
"""A folder with dvc-s3 and moto, where `make test-remotes` puts them."""

MADE = ("corpus", "report", *(f"{name}.{kind}" for name in "abc" for kind in ("model", "score")))


@pytest.fixture
def folder(tmp_path) -> list[list[str]]:
    return [["remote", "add", "--default", "storage", str(tmp_path / "storage")]]


@pytest.fixture
def s3(monkeypatch, tmp_path) -> Iterator[list[list[str]]]:
    """A bucket on a server of this machine; its packages come first in DVC's processes, and nowhere else."""
    if not PACKAGES:
        pytest.skip("dvc-s3 and moto have an environment of their own: `make test-remotes` makes it")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    environment = os.environ | {"PYTHONPATH": PACKAGES}
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with open(tmp_path / "moto.log", "w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        wait(lambda: _answers(address), 120)
        make = (
            f"import boto3; boto3.client('s3', endpoint_url='{address}', region_name='us-east-1', "
            "aws_access_key_id='a', aws_secret_access_key='b').create_bucket(Bucket='study')"
        )
        subprocess.run([sys.executable, "-c", make], env=environment, check=True, timeout=120)
        yield [
            ["remote", "add", "--default", "storage", "s3://study/dvc"],
            ["remote", "modify", "--local", "storage", "endpointurl", address],
            ["remote", "modify", "--local", "storage", "region", "us-east-1"],
            ["remote", "modify", "--local", "storage", "access_key_id", "a"],
            ["remote", "modify", "--local", "storage", "secret_access_key", "b"],
        ]
    finally:
        server.terminate()
        server.wait()


def _answers(address: str) -> bool:
    try:
        return urlopen(address, timeout=5).status == 200
    except OSError:
        time.sleep(0.2)
        return False


@pytest.mark.dvc
@pytest.mark.parametrize("remote", ["folder", "s3"])
def test_what_one_clone_pushed_another_one_pulls(remote, request, tmp_path):
    settings = request.getfixturevalue(remote)
    (tmp_path / "first").mkdir()
    first = Toy(tmp_path / "first")
    for command in settings:
        dvc(first, *command)
    assert first.run().returncode == 0
    dvc(first, "push", "--run-cache")

    second = clone(first, tmp_path / "second")
    dvc(second, "pull", "--run-cache")
    assert [second.text(name) for name in MADE] == [first.text(name) for name in MADE]
    assert dvc(second, "status", "--json").strip() == "{}"
    assert second.run().stdout.endswith("nothing to do\n") and second.ran() == []

    second.write(**{"b.sh": "echo edited"})
    assert second.run().returncode == 0 and second.ran() == ["train b"]
    dvc(second, "push", "--run-cache")
    first.ran()
    first.write(**{"b.sh": "echo edited"})
    dvc(first, "fetch", "--run-cache")
    assert first.run().returncode == 0 and first.ran() == []  # by the record of the other clone's run


def clone(toy: Toy, folder: Path) -> Toy:
    """What git and the user's own settings have: no outputs, no cache."""
    unknown = shutil.ignore_patterns(*MADE, "cache", "tmp", "work", "ran")
    shutil.copytree(toy.folder, folder, ignore=unknown)
    found = Toy.__new__(Toy)
    found.folder = folder
    return found


def dvc(toy: Toy, *arguments: str) -> str:
    """The output of a plain DVC command."""
    path = os.pathsep.join(filter(None, [PACKAGES, os.environ.get("PYTHONPATH", "")]))
    command = [sys.executable, "-m", "dvc", *arguments]
    answer = subprocess.run(
        command, cwd=toy.folder, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=300
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout
