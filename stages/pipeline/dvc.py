"""Make DVC quicker with its files: `patch()` before DVC is used.

DVC parses params.yaml anew for every stage that it looks at and dvc.lock for every stage that it is asked for: here a
process parses a text once. After a stage DVC reads all of dvc.lock with the parser that keeps comments, changes one
entry, and writes all of it anew: here the entries of other stages stay the text that they are. Together these took
seconds a stage in a study of fifty systems. DVC finds a key of params.yaml by matching it with every path in that file,
half of all its work with a thousand systems: here it is looked up. DVC sums a folder for every stage that reads it:
here once a look.
"""

import contextlib
import pickle
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from functools import cache, lru_cache, reduce, wraps
from pathlib import Path
from typing import Any, TextIO

from dvc import rwlock
from dvc.cli import main
from dvc.dependency import param
from dvc.output import Output
from dvc.stage.cache import StageCache
from dvc.utils import strictyaml
from dvc.utils.serialize import _common, _yaml, dumps_yaml, load_path, parse_yaml, parse_yaml_for_update
from dvc.utils.serialize._yaml import _dump
from dvc_data.hashfile.state import State

from stages.files.atomic import new_file
from stages.pipeline import lock_text

_read_param_file = param.read_param_file

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Entries(MutableMapping):
    """The stages of a lock file by name, in its order: an entry is parsed when it is asked for."""

    def __init__(self, texts: dict[str, str], path: str) -> None:
        self.texts = texts
        self._path = path

    def __getitem__(self, name: str) -> dict:
        return parse_yaml(self.texts[name], self._path)[name]

    def __setitem__(self, name: str, entry: Mapping) -> None:
        self.texts[name] = dumps_yaml({"stages": {name: _spelt_out(entry)}}).removeprefix("stages:\n")

    def __delitem__(self, name: str) -> None:
        del self.texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


def _spelt_out(node: Any) -> Any:
    """Without what params.yaml has in two places under one name: an entry by itself would number its anchors anew, and
    a file with two anchors of one name is none that DVC reads."""
    if isinstance(node, Mapping):
        return {key: _spelt_out(value) for key, value in node.items()}
    return [_spelt_out(value) for value in node] if isinstance(node, list | tuple) else node


def parse(text: str, path: str, typ: str = "safe") -> dict:
    """What the file says; each caller has it to itself."""
    return pickle.loads(_parsed(text, path)) if typ == "safe" else parse_yaml(text, path, typ)


def parse_for_update(text: str, path: str) -> dict:
    """What the file says, to be changed and written again. A lock file is cut into entries where it has the form in
    which DVC writes it, and is parsed in C otherwise: what DVC writes has no comments to keep."""
    if Path(path).suffix != ".lock":
        return parse_yaml_for_update(text, path)
    texts = lock_text.entries(text)
    return {"schema": "2.0", "stages": Entries(texts, path)} if texts else parse_yaml(text, path)


def write(data: dict, stream: TextIO) -> None:
    """What `parse_for_update` returned, as DVC writes it."""
    entries = data.get("stages")
    if isinstance(entries, Entries):
        stream.write(lock_text.whole(entries.texts))
    else:
        _dump(data, stream)


def read_param_file(
    fs: Any, path: str, key_paths: Sequence[str] | None = None, flatten: bool = False, **options
) -> Any:
    """DVC's function of that name; what is no plain path of keys it reads itself."""
    if not key_paths or not flatten:
        return _read_param_file(fs, path, key_paths, flatten, **options)
    content, found, others = load_path(path, fs, **options), {}, []
    for key in key_paths:
        try:
            found[key] = reduce(lambda node, name: node[name], key.split("."), content)
        except (KeyError, TypeError):
            others.append(key)
    further = _read_param_file(fs, path, others, True, **options) if others else {}
    found |= further
    return {key: found[key] for key in key_paths if key in found}


@lru_cache(maxsize=8)
def _parsed(text: str, path: str) -> bytes:
    return pickle.dumps(parse_yaml(text, path))


def open_state(open_: Callable[..., None]) -> Callable[..., None]:
    """DVC's databases of which file it has seen with which sum: damaged ones are deleted, for DVC finds all of it out
    again, and without that no DVC command runs from then on."""

    @wraps(open_)
    def opened(self: State, root_dir: str, tmp_dir: str, *further: Any, **options: Any) -> None:
        try:
            open_(self, root_dir, tmp_dir, *further, **options)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode not in DAMAGED:
                raise
            for name in ("hashes", "links"):
                shutil.rmtree(Path(tmp_dir) / name, ignore_errors=True)
            print(f"{tmp_dir}: DVC's database of files was damaged ({error}): began it anew", file=sys.stderr)
            open_(self, root_dir, tmp_dir, *further, **options)

    return opened


RUN = re.compile(r"[0-9a-f]{64}")


def whole_runs(load: Callable[..., Any]) -> Callable[..., Any]:
    """Of DVC's cache of runs, what was written whole. A kill leaves a folder without an entry, at which DVC fails from
    then on, or one under another name."""

    @wraps(load)
    def loaded(self: StageCache, key: str, value: str | None) -> Any:
        return load(self, key, value) if value and RUN.fullmatch(value) else None

    return loaded


@contextlib.contextmanager
def each_path_once() -> Iterator[None]:
    """A look at stages in which DVC sums a path once, for all that read or write it."""
    get_hash, known = Output.get_hash, {}

    def get_hash_once(self: Output) -> Any:
        path = (type(self.fs), self.fs_path, self.hash_name)
        if path not in known:
            known[path] = get_hash(self)
        return known[path]

    Output.get_hash = get_hash_once
    try:
        yield
    finally:
        Output.get_hash = get_hash


def write_whole() -> None:
    """Have DVC write dvc.lock and its file of who reads and writes what beside themselves, and rename them: it writes
    in place, and a kill in between would leave half a file."""
    edit = rwlock._edit_rwlock

    class Whole:
        def __init__(self, files: Any) -> None:
            self.join, self.read = files.join, files.open

        def open(self, path: str, mode: str = "r", encoding: str = "utf-8") -> Any:
            return new_file(Path(path)) if mode == "w" else self.read(path, mode, encoding=encoding)

    def dump(path: str, data: Any, dumper: Any, fs: Any = None, **options: Any) -> None:
        with new_file(Path(path)) as handle:
            dumper(data, handle, **options)

    rwlock._edit_rwlock = lambda folder, files, hardlink: edit(folder, Whole(files), hardlink)
    _common._dump_data = dump


@cache
def patch() -> None:
    """Have DVC read and write its files by way of this module, in this process."""
    State.__init__ = open_state(State.__init__)  # type: ignore[method-assign]  # that is what a patch does
    StageCache._load_cache = whole_runs(StageCache._load_cache)
    strictyaml.parse_yaml = _yaml.parse_yaml = parse
    _yaml.parse_yaml_for_update, _yaml._dump = parse_for_update, write
    param.read_param_file = read_param_file
    write_whole()


if __name__ == "__main__":
    patch()
    sys.exit(main())
