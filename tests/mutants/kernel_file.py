"""The kernels in C++ with another text of one of their files."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from unittest import mock


def compile_headers(folder: Path) -> str | None:
    """Compiles what the kernels include of torch, once for all mistakes, as ``folder/torch.h``.

    Returns:
        Why it cannot be done; None if it is.
    """
    from fairseq_plugins.kernels import native  # may be imported in child processes alone, as all that is ours

    texts = [path.read_text(encoding="utf-8") for path in sorted(native.SOURCES.iterdir())]
    header = folder / "torch.h"
    header.write_text("\n".join(sorted({line for text in texts for line in re.findall(r"#include <.*>", text)})) + "\n")
    with mock.patch.object(native, "FLAGS", _quick(native.FLAGS)):
        command = [*native.compiler(), "-xc++-header", str(header), "-o", f"{header}.gch"]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return f"{shlex.join(command[:1])} cannot compile torch's headers ({error})"
    return None


@contextmanager
def in_kernels(path: str, text: str, headers: Path) -> Iterator[None]:
    """While it is open, the kernels are what the file ``path`` with ``text`` in it makes them.

    Args:
        headers: the folder of ``compile_headers``.

    Raises:
        RuntimeError: the kernels have been loaded before, or they cannot be built with this text.
    """
    from fairseq_plugins.kernels import native

    if native.operations.cache_info().currsize:
        raise RuntimeError("the kernels are loaded already")
    with TemporaryDirectory() as folder:
        sources = Path(folder) / native.SOURCES.name
        copytree(native.SOURCES, sources)
        (sources / Path(path).name).write_text(text, encoding="utf-8")
        flags = (*_quick(native.FLAGS), "-include", str(headers / "torch.h"))
        with mock.patch.multiple(native, SOURCES=sources, FLAGS=flags):
            try:
                library = native.build(Path(folder), "kernels")
            except native.BuildError as error:
                raise RuntimeError(str(error)) from None
        insisting = mock.patch.dict(os.environ, {native.CHOICE: "native"})
        with insisting, mock.patch.object(native, "built", lambda: library):
            yield


def _quick(flags: tuple[str, ...]) -> tuple[str, ...]:
    """Flags of a compiler that does not optimise."""
    return (*(flag for flag in flags if not flag.startswith("-O")), "-O0")
