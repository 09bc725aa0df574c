"""One file over HTTP: resumed, retried, and bounded in size and time."""

import time
from pathlib import Path

import requests
from tqdm import tqdm

from stages.files.atomic import OF_THE_DISK, remove, write_error
from stages.files.errors import InputError

CHUNK = 1 << 14  # bytes; a broken transfer loses at most this much
TIMEOUT = (15, 60)  # seconds to connect, seconds without a byte
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})  # statuses that are worth another attempt
WATCHED, SLOWEST = 60.0, 1000
"""Seconds after each of which a transfer must have gone on by so many bytes a second."""


class _Interrupted(Exception):
    """The transfer stopped early for a reason that may pass."""


def fetch(url: str, path: Path, limit: int, attempts: int = 6, wait: float = 1.0) -> None:
    """Download `url` to `path` with a progress bar.

    An interrupted transfer goes on where it stopped (HTTP Range, into `<path>.part`), in this run after `wait` seconds
    that double with each attempt, or in the next run. The size is checked against the server's; content is not.

    Raises:
        InputError: refused by the server, more than `limit` bytes, still incomplete after `attempts`, or the folder
            cannot be written.
    """
    part = path.with_name(f"{path.name}.part")
    print(f"downloading {url} to {path}", flush=True)
    for attempt in range(attempts):
        if attempt:
            time.sleep(wait * 2 ** (attempt - 1))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _transfer(url, part, limit)
            part.replace(path)
            return
        except (requests.RequestException, requests.exceptions.BaseHTTPError, _Interrupted) as error:
            reason = str(error)
        except OSError as error:
            if error.errno in OF_THE_DISK or not path.parent.is_dir():
                raise write_error(path, error) from error
            reason = str(error)
    raise InputError(
        f"{url}: incomplete after {attempts} attempts ({reason}); check the network and run again, which goes on from "
        f"what {part} holds, or set CORPUS_MIRROR to a folder that has the corpus"
    )


def _transfer(url: str, part: Path, limit: int) -> None:
    """One attempt: ask for what `part` lacks, append it, and check the size."""
    have = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
        if response.status_code == requests.codes.requested_range_not_satisfiable:
            remove(part)
            raise _Interrupted(f"the server has nothing beyond byte {have}, starting over")
        if response.status_code in PASSING:
            raise _Interrupted(f"the server answered {response.status_code} {response.reason}")
        if not response.ok:
            raise InputError(
                f"{url}: the server answered {response.status_code} {response.reason}; if the publisher moved "
                "the file, set CORPUS_MIRROR to a folder that has the corpus"
            )
        resumed = response.status_code == requests.codes.partial_content
        if resumed and not str(response.headers.get("Content-Range")).startswith(f"bytes {have}-"):
            remove(part)
            raise _Interrupted("the server sent another range than was asked for, starting over")
        start = have if resumed else 0
        total = _total(response, start)
        if total is not None and total > limit:
            raise _too_large(url, part, limit, f"announces {total:,} bytes")
        with open(part, "ab" if resumed else "wb") as handle:
            size = _receive(response, handle, start, total, limit)
    if size > limit:
        raise _too_large(url, part, limit, "does not end")
    if size == 0:
        raise _Interrupted("the server sent nothing")
    if total is not None and size != total:
        if size > total:
            remove(part)
        raise _Interrupted(f"truncated: {size} of {total} bytes")


def _total(response: requests.Response, start: int) -> int | None:
    """The size of the file as the server announces it, if it does."""
    announced = response.headers.get("Content-Length")
    if announced is None:
        return None
    if not (announced.isascii() and announced.isdecimal()):
        raise _Interrupted(f"the server announces {announced!r} as the size")
    return start + int(announced)


def _receive(response: requests.Response, handle, start: int, total: int | None, limit: int) -> int:
    """Write what comes, as it comes, until it ends or is more than `limit`; returns the size of the file then."""
    size, since, before = start, time.monotonic(), start
    with tqdm(total=total, initial=start, unit="B", unit_scale=True, desc=Path(handle.name).stem, disable=None) as bar:
        while size <= limit and (block := response.raw.read1(CHUNK)):
            handle.write(block)
            size += len(block)
            bar.update(len(block))
            if (seconds := time.monotonic() - since) >= WATCHED:
                if size - before < SLOWEST * seconds:
                    raise _Interrupted(f"slower than {SLOWEST} bytes a second")
                since, before = time.monotonic(), size
    return size


def _too_large(url: str, part: Path, limit: int, what: str) -> InputError:
    remove(part)
    return InputError(
        f"{url} {what}, but the published file has at most {limit:,}; if the publisher moved it, set CORPUS_MIRROR to "
        "a folder that has the corpus"
    )
