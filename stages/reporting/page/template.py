"""The page with its style, scripts and data inside, and a policy that forbids everything else."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

WEB = Path(__file__).with_name("web")
STYLES = ("style.css", "sentence.css", "screens.css")
"""In this order they are one: what stands later goes before what stands above it."""

SCRIPTS = (
    "elements.js",
    "blocks.js",
    "links.js",
    "fragment.js",
    "order.js",
    "words.js",
    "heat_map.js",
    "sentences.js",
    "detail.js",
    "findings.js",
    "tables.js",
    "figures.js",
    "controls.js",
    "explorer.js",
    "main.js",
)
"""In this order they are one module: each may use those before it."""


def fill(title: str, data: Mapping[str, Any], blocks: Mapping[str, str], font: str) -> str:
    """The page. data: what it shows at once; blocks: name -> JSON, opened on demand; font: CSS before the styles."""
    style = font + "".join(map(_read, STYLES))
    script = "".join(map(_read, SCRIPTS))
    parts = {
        "policy": f"default-src 'none'; img-src data:; font-src data:; style-src {_hash(style)}; "
        f"script-src {_hash(script)}; base-uri 'none'; form-action 'none'",
        "title": html.escape(title),
        "style": style,
        "script": script,
        "data": "\n".join(_scripts(data, blocks)),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _read("page.html"))


def escaped(text: str) -> str:
    """JSON that cannot end the element it stands in."""
    return text.replace("<", r"\u003c")


def _scripts(data: Mapping[str, Any], blocks: Mapping[str, str]) -> Iterator[str]:
    written = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for name, content in {"data": written, **{f"block-{name}": block for name, block in blocks.items()}}.items():
        yield f'<script type="application/json" id="{name}">{escaped(content)}</script>'


def _read(name: str) -> str:
    return (WEB / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Of exactly what stands between the tags."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
