"""The study whose page most browser tests look at: its systems, its shape, its figures."""

import base64

from tests.helpers.browser import study

TITLES = {variant: kind.title for variant, kind in study.KINDS.items()}
SHAPE = study.Shape(("test", "test2"), (1, 2), sentences=24)
ALL = list(range(SHAPE.sentences))
STAR, BOTH, SILENT, HOSTILE = "rnnsearch_star", "ba_nmt", "rnnencdec", "hostile"

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="20" onload="alert(7)"/>'
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
FIGURES = {"learning_curves.svg": SVG.encode(), "bleu_by_length.png": base64.b64decode(PNG)}
