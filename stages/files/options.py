"""The command line of what `make` starts too, whose users know an option as a variable."""

import argparse
import re
from collections.abc import Callable
from typing import NoReturn


class Options(argparse.ArgumentParser):
    """argparse's parser with errors of one line, which name the variable beside the option: ``JOBS (--jobs)``."""

    def error(self, message: str) -> NoReturn:
        named = re.sub(r"argument (--(\w+)[\w/-]*)", lambda found: f"{found[2].upper()} ({found[1]})", message)
        self.exit(2, f"error: {named}; --help says what there is\n")


def at_least(least: int) -> Callable[[str], int]:
    """The type of an option that is a whole number."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal()) or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least {least}")
        return int(text)

    return number
