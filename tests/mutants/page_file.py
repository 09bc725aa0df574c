"""The report page with another text of one of its files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from stages.reporting.page import template


@contextmanager
def in_page(path: str, text: str) -> Iterator[None]:
    """While it is open, pages are made with ``text`` in the place of what the file ``path`` says."""
    whole = template.WEB
    with TemporaryDirectory() as folder:
        template.WEB = Path(copytree(whole, Path(folder) / whole.name))
        (template.WEB / Path(path).name).write_text(text, encoding="utf-8")
        try:
            yield
        finally:
            template.WEB = whole
