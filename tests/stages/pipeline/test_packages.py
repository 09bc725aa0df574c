"""What is installed, which DVC does not see: the runner looks before it asks DVC what has changed."""

import re

import pytest

from stages.pipeline import packages
from stages.pipeline.packages import CHECKED
from tests.helpers.paths import ROOT
from tests.stages.pipeline.toy import Toy

STAGES = {
    "check": {"cmd": "python check.py", "deps": ["source"], "outs": [{str(CHECKED): {"persist": True}}]},
    "score": {"cmd": f"echo score >> ran && cp {CHECKED} scores", "deps": [str(CHECKED)], "outs": ["scores"]},
}
CHECK = f"""
import sys
sys.path.insert(0, "{ROOT}")
from stages.pipeline import packages
open("{CHECKED}", "w").write(f"in order\\n{{packages.line()}}\\n")
"""


@pytest.mark.dvc
def test_another_version_of_a_package_is_something_to_do(tmp_path):
    """Also one of a package that was not there before."""
    toy, path = Toy(tmp_path, STAGES), tmp_path / CHECKED
    toy.write(**{"check.py": CHECK})
    assert toy.run().returncode == 0 and toy.ran() == ["score"]
    assert toy.run().stdout.endswith("nothing to do\n")
    earlier = re.sub(r"hanta==\S+", "hanta==1.0", path.read_text())
    path.write_text(re.sub(r"sil-thot==\S+", "sil-thot==none", earlier))
    for command in (["commit", "-q", "-f", "check"], ["repro", "-q"]):  # as if all had run so
        assert toy.dvc(*command).wait() == 0
    assert all(one in toy.text("scores") for one in ("hanta==1.0", "sil-thot==none")) and toy.ran() == ["score"]
    answer = toy.run()
    assert answer.returncode == 0 and answer.stdout.endswith("worked\n")
    assert toy.text("scores").splitlines() == ["in order", packages.line()] and toy.ran() == []


def test_no_look_makes_what_no_stage_has_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    packages.note()
    assert not CHECKED.exists()
