"""Guard of two stages: names in params.yaml are names, or nothing runs.

DVC writes names into commands, paths and stages, and a shell reads the commands. In a matrix DVC quotes them. In a
`foreach` it does not, so the commands there begin with this one, into which no name is written; DVC runs the next one
only if it succeeds.
"""

from stages.files.errors import InputError
from stages.files.main import run
from stages.files.strict_yaml import read_yaml
from stages.settings.names import PARAMS, wrong_names


def main() -> None:
    content = read_yaml(PARAMS)
    if not isinstance(content, dict):
        raise InputError(f"{PARAMS} must be a mapping of settings")
    if wrong := list(wrong_names(content)):
        raise InputError(f"{PARAMS}: " + "; ".join(wrong))


if __name__ == "__main__":
    run(main)
