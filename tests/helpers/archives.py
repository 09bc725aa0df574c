"""Archives as publishers have them."""

import gzip
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path


def tar_of(members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for member, content in members.items():
            info = tarfile.TarInfo(member)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def tar_gz(path: Path, members: Mapping[str, str], encoding: str = "utf-8") -> Path:
    """Write a .tar.gz with `members`, and return its path."""
    encoded = {member: text.encode(encoding) for member, text in members.items()}
    path.write_bytes(gzip.compress(tar_of(encoded), mtime=0))
    return path
