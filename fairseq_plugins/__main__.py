"""`python -m fairseq_plugins COMMAND …`: fairseq's own commands with their stock options, and this study's variants.

preprocess, train, generate, interactive, validate and score are fairseq-preprocess, fairseq-train, …; list describes
this study's variants (`list --help`), which `train` takes as --arch and the other commands read from the checkpoint.
The study's quick Adam is --optimizer fused_adamw.
"""

import argparse
import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

from fairseq_plugins import registry

COMMANDS = ("preprocess", "train", "generate", "interactive", "validate", "score")
USAGE = f"usage: python -m fairseq_plugins {{{','.join(COMMANDS)},list}} …"


def main(arguments: list[str]) -> int:
    """Run one command; returns the exit status. Bad input is one sentence on stderr and status 1 (2 for bad usage)."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(f"{__doc__}\n{USAGE}", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    command, options = arguments[0], arguments[1:]
    if command not in (*COMMANDS, "list"):
        print(f"There is no command {command!r}; {USAGE}", file=sys.stderr)
        return 2
    from fairseq_plugins import compat, readers
    from fairseq_plugins.core.options import RefusedError

    readers.guard()
    try:
        if command == "list":
            _list(options)
        else:
            _run(command, options + _register(command, options))
    except (RefusedError, compat.CheckpointError, readers.DataError, registry.UnknownNameError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:  # of a path on the command line, or of a disk
        print(f"{error.filename}: {error.strerror}" if error.filename else error, file=sys.stderr)
        return 1
    return 0


def _list(options: list[str]) -> None:
    from fairseq_plugins.listing.command import listing  # imports torch and fairseq

    print(listing(options))


def _register(command: str, options: list[str]) -> list[str]:
    """Import the modules that the command line names; all of them where only the checkpoint or the help text knows.

    Returns further options: the criterion of systems of this study unless another is named, for fairseq's own leaves
    out the losses of their terms.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--arch", "-a")
    parser.add_argument("--criterion")
    named, rest = parser.parse_known_args(options)
    if command in ("preprocess", "score"):
        return []
    if command == "train":
        importlib.import_module("fairseq_plugins.optim.fused_adamw")
    if command != "train" or not named.arch or {"-h", "--help"} & set(rest):
        registry.register_all()
        return []
    registry.register(named.arch)
    criterion = named.criterion or ("auxiliary_nll" if named.arch in registry.names() else None)
    if criterion:
        registry.register_criterion(criterion)
    return ["--criterion", criterion] if criterion and not named.criterion else []


def _run(command: str, options: list[str]) -> None:
    """fairseq's own main, on its argparse path: hydra-train drops the defaults of an architecture (fairseq#4675)."""
    if command == "interactive":
        _pad_as_told()
        options = [*options, *_buffer(options)]
    if command == "train":
        _tell_refusals_from_faults()
    sys.argv = [f"python -m fairseq_plugins {command}", *options]
    importlib.import_module(f"fairseq_cli.{command}").cli_main()


def _tell_refusals_from_faults() -> None:
    """RefusedError where building a model or an optimizer raises ValueError; any other keeps its traceback."""
    from fairseq_plugins.core.options import RefusedError

    from fairseq import optim
    from fairseq.tasks import FairseqTask

    def refusing(build: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(build)
        def built(*arguments: Any, **options: Any) -> Any:
            try:
                return build(*arguments, **options)
            except ValueError as error:
                raise RefusedError(str(error)) from error

        return built

    FairseqTask.build_model = refusing(FairseqTask.build_model)
    optim.build_optimizer = refusing(optim.build_optimizer)


def _pad_as_told() -> None:
    """--left-pad-source for `interactive` too: fairseq's data set for it pads on the left whatever it is told."""
    from fairseq.tasks.translation import TranslationTask

    built = TranslationTask.build_dataset_for_inference

    def build(self, src_tokens, src_lengths, constraints=None):
        dataset = built(self, src_tokens, src_lengths, constraints)
        dataset.left_pad_source = self.cfg.left_pad_source
        return dataset

    TranslationTask.build_dataset_for_inference = build


def _buffer(options: list[str]) -> list[str]:
    """A buffer that holds a batch, unless its size is given: fairseq's holds one line and refuses larger batches."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--batch-size", "--max-sentences")
    parser.add_argument("--buffer-size")
    given = parser.parse_known_args(options)[0]
    return [] if given.batch_size is None or given.buffer_size is not None else ["--buffer-size", given.batch_size]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
