"""Results that dvc.lock names and DVC's cache has lost: what the workspace still has is put back, and it is said.

DVC counts a result that its cache lacks as changed, and runs everything again without a word.
"""

import os

from dvc.output import Output

from stages.pipeline.dvc import each_path_once
from stages.pipeline.graph import Pipeline, Tell


def put_back(pipeline: Pipeline, say: Tell) -> None:
    """Raises InputError if DVC cannot."""
    with pipeline.looking(say, "DVC cannot use its cache: "), each_path_once():
        named = [out for stage in pipeline.stages for out in stage.outs if out.use_cache and out.hash_info]
        lost = [out for out in named if out.changed_cache()]  # or a file of it, if it is a folder
        back = [out for out in lost if _is_as_recorded(out)]
        for out in back:
            out.commit()
    if lost:
        say(_sentence(os.path.relpath(lost[0].cache.path), len(named), len(lost), len(back)))


def _is_as_recorded(out: Output) -> bool:
    return out.exists and out.get_hash() == out.hash_info


def _sentence(cache: str, named: int, lost: int, back: int) -> str:
    fetch = "unless `dvc pull` fetches them from a remote"
    if lost == named and not back:
        return f"DVC's cache ({cache}) has nothing of this study, as in a new clone: all of it is made, {fetch}"
    text = f"DVC's cache ({cache}) lacks {lost} of the {named} results that dvc.lock names"
    if back:
        text += f": {back} were put back from the workspace"
    if back < lost:
        text += f"{', and' if back else ':'} {lost - back} are made anew, {fetch}"
    return text
