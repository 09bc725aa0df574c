"""Whole runs on a small DVC repository: what runs, what does not, and what is printed."""

import fcntl
import os
import pty
import re
import struct
import termios
from pathlib import Path

import pytest

from tests.stages.pipeline.toy import Toy, wait

pytestmark = pytest.mark.dvc

EVERYTHING = ["corpus", *(f"{stage} {name}" for stage in ("score", "train") for name in "abc")]


@pytest.fixture(scope="module")
def toy(tmp_path_factory) -> Toy:
    """A repository that has run; each test leaves it up to date, in whatever order they come."""
    toy = Toy(tmp_path_factory.mktemp("toy"))
    answer = toy.run()
    assert answer.returncode == 0 and toy.ran() == EVERYTHING, answer.stdout
    return toy


def test_a_first_run_runs_everything_and_says_how_far_it_is(tmp_path):
    toy = Toy(tmp_path)
    answer = toy.run()
    assert answer.returncode == 0, answer.stdout
    assert toy.ran() == EVERYTHING and toy.text("report") == "a\nb\nc\n"
    lines = answer.stdout.splitlines()
    assert lines[0] == "looking at what has changed" and lines[-1] == "worked"
    assert "b BLEU 12" in lines
    assert "corpus begins (0 of 3 systems done, 0 running, 3 waiting; 0 of 5 jobs done; time left unknown)" in lines
    ends = [line for line in lines if re.match(r"train@.-1 done in \d+ s \(", line)]
    assert len(ends) == 3 and "(3 of 3 systems done, 0 running, 0 waiting; 4 of 5 jobs done; about " in ends[-1]
    assert "Running stage" not in answer.stdout
    log = toy.text("work/logs/train@b-1.log")
    assert "dvc: Running stage 'train@b-1':" in log and "dvc: Running stage 'score@b-1':" in log
    assert "b BLEU 12\n" in log


def test_with_nothing_to_do_nothing_runs(toy):
    answer = toy.run()
    assert (answer.returncode, answer.stdout) == (0, "looking at what has changed\nnothing to do\n")
    assert toy.ran() == []


def test_what_a_shared_stage_leaves_as_it_was_reruns_nothing(toy):
    toy.write(source="1 second")
    answer = toy.run()
    assert answer.returncode == 0, answer.stdout
    assert toy.ran() == ["corpus"] and "worked" in answer.stdout and "train" not in answer.stdout


def test_a_system_that_comes_out_as_before_reruns_no_report(toy):
    toy.write(**{"b.sh": "echo edited"})
    answer = toy.run()
    assert answer.returncode == 0, answer.stdout
    assert toy.ran() == ["train b"] and "edited" in answer.stdout.splitlines() and "report" not in answer.stdout


def test_a_failure_stops_what_depends_on_it_and_no_more(toy):
    toy.write(**{"a.sh": "echo out of luck >&2; exit 3", "c.sh": "sleep 1"})
    answer = toy.run(slots=1)
    assert answer.returncode == 1
    assert toy.ran() == ["train c"]
    *_, error = answer.stdout.partition("error: ")
    assert error.startswith("train@a-1 failed; the end of work/logs/train@a-1.log:")
    assert "  | out of luck\n" in error and "exited with 3\n" in error
    assert "\nnot begun because of that: report\n" in error and "Traceback" not in answer.stdout
    toy.write(**{"a.sh": "true"})
    assert toy.run().returncode == 0 and toy.ran() == []  # as it was before: from DVC's cache of runs


def test_some_systems_and_what_they_need(toy):
    toy.write(source="2", **{"a.sh": "echo new"})
    answer = toy.run("b")
    assert answer.returncode == 0, answer.stdout
    assert toy.ran() == ["corpus", "train b"]
    assert "only b: report would need the other systems and will not run" in answer.stdout
    assert toy.run().returncode == 0 and toy.ran() == ["train a", "train c"]


def test_an_unknown_system_is_one_sentence(toy):
    answer = toy.run("b", "d")
    assert answer.returncode == 1
    error = answer.stdout.splitlines()[-1]
    assert error.startswith(
        "error: there is no system d in this study (there are: a, b, c); correct the name, or add it"
    )


def test_a_terminal_gets_a_bar_and_whole_lines(toy):
    toy.write(**{"a.sh": "for i in 1 2 3 4 5 6 7 8; do echo line of a; sleep 0.3; done"})
    toy.write(**{"b.sh": "for i in 1 2 3 4 5 6 7 8; do printf 'line '; sleep 0.3; echo of b; done"})
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 40, 200, 0, 0))
    process = toy.start(stdout=theirs, stderr=theirs)
    os.close(theirs)
    output = b""
    try:
        while part := os.read(ours, 1000):
            output += part
    except OSError:  # how Linux says that nobody writes to a terminal any more
        pass
    assert process.wait() == 0
    text = output.decode()
    assert (
        "0 of 2 systems done, 2 running, 0 waiting; 0 of 3 jobs done; " in text and "; train@a-1, train@b-1 [" in text
    )
    shown = [line.rpartition("\r")[2] for line in text.replace("\r\n", "\n").split("\n")]
    assert (shown.count("line of a"), shown.count("line of b")) == (8, 8)


def test_side_by_side_as_far_as_slots_go(tmp_path):
    """Two trainings each wait until the other has begun, the third until both are done."""
    toy = Toy(tmp_path)
    meet = "touch {me}.here; while ! test -e {other}.here; do sleep 0.1; done"
    toy.write(**{"a.sh": meet.format(me="a", other="b"), "b.sh": meet.format(me="b", other="a")})
    toy.write(**{"c.sh": "test -e a.model || test -e b.model"})
    answer = toy.run(slots=2)
    assert answer.returncode == 0, answer.stdout


def test_whoever_reads_along_may_leave(tmp_path):
    toy = Toy(tmp_path)
    toy.write(**{"a.sh": "for i in $(seq 100); do echo line; sleep 0.05; done"})
    process = toy.start()
    process.stdout.readline()
    process.stdout.close()
    wait(lambda: process.poll() is not None)
    assert process.returncode == 141


def test_without_a_repository_one_sentence_says_so(tmp_path):
    toy = Toy(tmp_path)
    (tmp_path / ".dvc").rename(tmp_path / "elsewhere")
    answer = toy.run()
    assert (answer.returncode, answer.stdout.count("\n")) == (1, 1)
    assert answer.stdout.startswith("error: there is no DVC repository here") and not Path(tmp_path, ".dvc").exists()


def test_a_stage_whose_inputs_change_while_it_runs_fails_and_the_next_run_runs_it_again(tmp_path):
    """Nobody knows which of both contents it read."""
    toy = Toy(tmp_path)
    toy.write(**{"a.sh": "mv edited.sh a.sh", "edited.sh": "true"})
    answer = toy.run()
    assert answer.returncode == 1
    assert toy.ran() == ["corpus", "score b", "score c", "train a", "train b", "train c"]
    *_, error = answer.stdout.partition("error: ")
    sentence = "failed to reproduce 'train@a-1': what it reads has changed while it ran; run again"
    assert error.splitlines()[-3] == f"  | ERROR: {sentence}" and error.count(sentence) == 1
    assert "\nnot begun because of that: report\n" in error and "Traceback" not in answer.stdout
    assert "train@a-1" not in toy.text("dvc.lock")
    assert toy.run().returncode == 0 and toy.ran() == ["score a", "train a"]


def test_a_stage_that_reads_another_file_than_when_it_was_recorded_runs(tmp_path):
    """As those whose names lack the corpus do when a study of another corpus is chosen. DVC takes such a file's sum in
    the way of its version 2 before the stage has run, and in its own way afterwards."""
    toy = Toy(tmp_path)
    assert toy.run().returncode == 0 and toy.ran() == EVERYTHING
    definition = toy.text("dvc.yaml").replace("source", "other_source")
    toy.write(**{"dvc.yaml": definition, "other_source": "2"})
    answer = toy.run()
    assert answer.returncode == 0, answer.stdout
    assert toy.ran() == ["corpus", "train a", "train b", "train c"]


TRAININGS = {
    "train": {
        "matrix": {"variant": "${systems}", "seed": "${seeds}"},
        "cmd": """sh ${item.variant}.sh && mkdir ${item.variant} && echo '{"wall_seconds": 7200}' > """
        "${item.variant}/training.json",
        "deps": ["${item.variant}.sh"],
        "outs": ["${item.variant}"],
    },
}


def test_what_a_killed_run_did_and_what_comes_from_the_cache_do_not_shorten_the_time_left(tmp_path):
    toy = Toy(tmp_path, TRAININGS)
    lines = toy.run(slots=1).stdout.splitlines()
    assert [line.rpartition("; ")[2] for line in lines if " done in " in line] == [
        *("about 4.0 h left)", "about 2.0 h left)", "about 0 s left)")
    ]
    toy.write(**{f"{name}.sh": "true again" for name in "abc"})
    assert toy.run().returncode == 0
    toy.write(**{"a.sh": "true", "b.sh": "true", "c.sh": "true for a third time"})
    lines = toy.run(slots=1).stdout.splitlines()
    first, second, _ = (line.rpartition("; ")[2] for line in lines if " done in " in line)
    assert (first, second) == ("time left unknown)", "time left unknown)")
