"""Keys of params.yaml that win over the study that `<<:` chooses."""

from pathlib import Path

import yaml

from stages.files.strict_yaml import LOADER
from stages.pipeline.choice import without_released
from stages.settings.params import PARAMS

MERGE = "tag:yaml.org,2002:merge"


def overridden(text: str) -> list[str]:
    """Keys at the top level that the mapping behind ``<<:`` has too, and does not decide therefore; in their order.

    Empty for a text that is no mapping, or no YAML: others say that better.
    """
    try:
        root = yaml.compose(text, Loader=LOADER)
    except yaml.YAMLError:
        return []
    if not isinstance(root, yaml.MappingNode):
        return []
    merged = {key for name, value in root.value if name.tag == MERGE for key in _keys(value)}
    return [name.value for name, _ in root.value if name.tag != MERGE and name.value in merged]


def warning(path: Path = PARAMS) -> str:
    """A sentence about the keys of this file that win over the chosen study, but for those that `RELEASED=1` wrote and
    says itself; empty without any."""
    keys = overridden(without_released(path.read_text(encoding="utf-8")))
    if not keys:
        return ""
    verb = "stands" if len(keys) == 1 else "stand"
    return (
        f"{path}: {', '.join(keys)} {verb} at the top level and win{'s' * (len(keys) == 1)} over the study that `<<:` "
        f"chooses (`dvc exp run -S` writes such keys); to go back, delete them there, or `git checkout HEAD {path}`"
    )


def _keys(node: yaml.Node) -> set[str]:
    """Of a merged mapping, or of a list of such, with what they merge themselves."""
    if isinstance(node, yaml.SequenceNode):
        return {key for one in node.value for key in _keys(one)}
    if not isinstance(node, yaml.MappingNode):
        return set()
    own = {name.value for name, _ in node.value if name.tag != MERGE}
    return own.union(*(_keys(value) for name, value in node.value if name.tag == MERGE))
