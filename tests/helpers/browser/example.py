"""The study whose page most browser tests look at: its systems, its shape, its figures."""

from io import BytesIO

from PIL import Image

from tests.helpers.browser import study

TITLES = {variant: kind.title for variant, kind in study.KINDS.items()}
SHAPE = study.Shape(("test", "test2"), (1, 2), sentences=24)
ALL = list(range(SHAPE.sentences))
STAR, BOTH, SILENT, HOSTILE = "rnnsearch_star", "ba_nmt", "rnnencdec", "hostile"


def _png(width: int, height: int) -> bytes:
    written = BytesIO()
    Image.new("RGB", (width, height)).save(written, "PNG")
    return written.getvalue()


WIDE = _png(1500, 20)
FIGURES = {"learning_curves.png": WIDE, "bleu_by_length.png": _png(1, 1)}
