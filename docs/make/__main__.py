"""`make docs`: write the parts of pages that are made from code."""

from docs.make.blocks import pages, renewed
from docs.make.imports import ROOT


def made() -> dict[str, str]:
    """What the pages have to hold, by path from the root."""
    return {page.relative_to(ROOT).as_posix(): renewed(page.read_text(encoding="utf-8")) for page in pages()}


def main() -> None:
    for name, text in made().items():
        path = ROOT / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"written: {name}")


if __name__ == "__main__":
    main()
