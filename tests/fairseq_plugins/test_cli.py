"""`python -m fairseq_plugins`: fairseq's own commands, end to end, with fairseq's models and with ours."""

import os
import subprocess
import sys

import pytest

from fairseq_plugins import registry
from fairseq_plugins.__main__ import COMMANDS, main
from tests.helpers.fairseq_commands import RIGHT_PAD, SENTENCES, TRAIN, command, finished

pytest_plugins = ["tests.helpers.fairseq_commands"]


def program(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """A command as users call it."""
    return subprocess.run(
        [sys.executable, "-m", "fairseq_plugins", *arguments],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.process
def test_a_model_of_fairseq_trains_and_translates(data, tmp_path):
    sizes = ["--encoder-embed-dim", "8", "--decoder-embed-dim", "8", "--decoder-out-embed-dim", "8"]
    finished(
        "train", str(data), "--arch", "lstm", *sizes, "--save-dir", str(tmp_path), *TRAIN.split(), "--max-epoch", "1"
    )
    printed = finished("generate", str(data), "--path", str(tmp_path / "checkpoint_best.pt"), "--max-tokens", "200")
    assert sum(line.startswith("H-") for line in printed.splitlines()) == SENTENCES


@pytest.mark.process
def test_a_variant_trains_resumes_and_translates(data, tmp_path):
    sizes = ["--embed-dim", "8", "--hidden-dim", "8"]
    train = ["train", str(data), "--arch", "rnnsearch_star", *sizes, RIGHT_PAD, "--save-dir", str(tmp_path)]
    finished(*train, *TRAIN.split(), "--max-epoch", "1")
    assert "Loaded checkpoint" in finished(*train, *TRAIN.split(), "--max-epoch", "2")

    model = [str(data), "--path", str(tmp_path / "checkpoint_best.pt"), RIGHT_PAD, "--beam", "2"]
    printed = finished("generate", *model, "--max-tokens", "200")
    assert sum(line.startswith("H-") for line in printed.splitlines()) == SENTENCES
    assert "S-0\ta b" in finished("interactive", *model, "-s", "src", "-t", "tgt", stdin="a b\n", run=program)


@pytest.mark.process
def test_interactive_translates_in_batches_as_one_by_one(data, tmp_path):
    sizes = ["--embed-dim", "8", "--hidden-dim", "8"]
    train = ["train", str(data), "--arch", "ba_nmt", *sizes, RIGHT_PAD, "--save-dir", str(tmp_path)]
    finished(*train, *TRAIN.split(), "--max-epoch", "1")
    model = ["interactive", str(data), "--path", str(tmp_path / "checkpoint_best.pt"), RIGHT_PAD, "-s", "src"]
    given = "a b c d e f a b\nb\nc d e\nd e f a b\n"
    alone, together = (finished(*model, "-t", "tgt", *more, stdin=given) for more in ([], ["--batch-size", "4"]))
    lines = [[line.split("\t") for line in out.splitlines() if line[:2] in ("S-", "H-")] for out in (alone, together)]
    assert len(lines[0]) == 8
    for one, other in zip(*lines, strict=True):
        assert (one[0], one[-1]) == (other[0], other[-1])
        if one[0].startswith("H"):
            assert float(one[1]) == pytest.approx(float(other[1]), abs=1e-4)


@pytest.mark.process
def test_a_variant_trains_in_bf16(data, tmp_path):
    """Without a GPU too: fairseq would ask for a TPU."""
    sizes = ["--embed-dim", "8", "--hidden-dim", "8"]
    short = [*TRAIN.replace("adam", "fused_adamw").split(), "--bf16", "--max-update", "2"]
    finished("train", str(data), "--arch", "ba_nmt", *sizes, RIGHT_PAD, "--save-dir", str(tmp_path), *short)
    printed = finished(
        "generate", str(data), "--path", str(tmp_path / "checkpoint_best.pt"), RIGHT_PAD, "--max-tokens", "200"
    )
    assert sum(line.startswith("H-") for line in printed.splitlines()) == SENTENCES


@pytest.mark.process
def test_a_checkpoint_with_code_is_one_sentence(data, tmp_path):
    (tmp_path / "evil.pt").write_bytes(b"cos\nsystem\n(S'true'\ntR.")
    done = command("generate", str(data), "--path", str(tmp_path / "evil.pt"))
    assert done.returncode == 1
    assert "evil.pt: refused, because it holds os.system" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


REFUSED = {
    "model": (["-a", "multihead_additive", "--attention-heads", "7"], "7 attention_heads cannot divide"),
    "width": (["-a", "rnnsearch", "--hidden-dim", "0"], "--hidden-dim is 0, but must be a number of at least 1"),
    "no number": (
        ["-a", "rnnsearch", "--init-range", "nan"],
        "--init-range is nan, but must be a number of at least 0",
    ),
    "fixed": (["-a", "covemb_gru_sub_obj", "--covemb-objective", "none"], "--covemb-objective is final in"),
    "source": (["-a", "rnnsearch"], "give the flag --left-pad-source"),
    "target": (["-a", "rnnsearch", RIGHT_PAD, "--left-pad-target"], "leave out --left-pad-target"),
    "links": (["-a", "supervised_attention", RIGHT_PAD], "train with --load-alignments"),
    "fairseq": (["-a", "transformer", "--share-all-embeddings"], "--share-all-embeddings requires a joined dictionary"),
    "optimizer": (["-a", "rnnsearch", "--optimizer", "fused_adamw", "--use-old-adam"], "take --optimizer adam"),
}


@pytest.mark.process
@pytest.mark.parametrize(("options", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_one_sentence(options, sentence, data, tmp_path):
    done = command("train", str(data), "--save-dir", str(tmp_path), *TRAIN.split(), *options)
    assert done.returncode == 1
    assert sentence in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


UNKNOWN = {
    "command": (["trian"], 2, "There is no command 'trian'"),
    "none": ([], 2, "usage:"),
    "architecture": (
        ["train", "x", "--arch", "rnnserch"],
        1,
        "no architecture 'rnnserch'; the nearest names are: rnnsearch",
    ),
    "fairseq's": (["train", "x", "-a", "transfomer"], 1, "the nearest names are: transformer"),
    "criterion": (["train", "x", "-a", "lstm", "--criterion", "cros_entropy"], 1, "are: cross_entropy"),
}


@pytest.mark.parametrize(("arguments", "status", "sentence"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_name_is_answered_with_the_nearest(arguments, status, sentence, capsys):
    assert main(arguments) == status
    assert sentence in capsys.readouterr().err


def test_help_names_every_command(capsys):
    assert main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in (*COMMANDS, "list"))


LOADS = {
    "registry.names()": set(),
    "registry.register('transformer')": set(),
    "registry.register('rnnsearch')": {"rnnsearch"},
    "registry.register_all()": set(registry.names()),
}
"""What is called, one after the other in a fresh interpreter, and the modules of models that are imported then."""


@pytest.mark.process
def test_an_architecture_is_imported_without_the_others():
    loaded = "print(*(name for name in sys.modules if name.startswith('fairseq_plugins.models.')))"
    code = "\n".join(["import sys", "from fairseq_plugins import registry", *(f"{call}\n{loaded}" for call in LOADS)])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for line, (call, expected) in zip(done.stdout.split("\n")[:-1], LOADS.items(), strict=True):
        names = {name.rpartition(".")[2] for name in line.split()}
        assert {name for name in names if not name.startswith("_")} == expected, call


def test_every_architecture_is_known_to_fairseq_by_its_file_name():
    registry.register_all()
    from fairseq.models import ARCH_MODEL_REGISTRY

    assert set(registry.names()) <= set(ARCH_MODEL_REGISTRY)
