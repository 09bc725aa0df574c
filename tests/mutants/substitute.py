"""An import of one module, with another source."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType


class _Loader(SourceFileLoader):
    """Compiles the given source; neither the file nor what is cached of it."""

    def __init__(self, name: str, path: str, source: str):
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.source.encode(), self.path)


class _Finder(MetaPathFinder):
    def __init__(self, name: str, source: str):
        self.name, self.source = name, source

    def find_spec(self, fullname: str, path, target=None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        spec = PathFinder.find_spec(fullname, path)
        spec.loader = _Loader(fullname, spec.origin, self.source)
        return spec


@contextmanager
def substituted(module: str, source: str) -> Iterator[None]:
    """While it is open, importing ``module`` executes ``source``.

    Raises:
        RuntimeError: the module was imported before, or was not imported meanwhile.
    """
    if module in sys.modules:
        raise RuntimeError(f"{module} is imported already")
    finder = _Finder(module, source)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
    if not isinstance(getattr(sys.modules.get(module), "__loader__", None), _Loader):
        raise RuntimeError(f"no test imported {module}")
