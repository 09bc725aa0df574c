"""Which stages of a graph are run together, and what waits for what. Knows no stage by name, and starts nothing."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from stages.files.errors import InputError

Before = dict["Job", set["Job"]]
"""Job -> the jobs whose outputs it reads. Every job is a key, after those that it waits for."""


class Job(NamedTuple):
    """Stages to run one after the other in one process, as DVC addresses them.

    labels: the system and the seed that they were made for (``rnnsearch``, ``1``), if they are of one.
    """

    stages: tuple[str, ...]
    labels: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.stages[0]


def cut(stages: Mapping[str, Set[str]], labels: Mapping[str, Iterable[str]]) -> Before:
    """The jobs of a graph: stages of one item (the part after ``@``) that only follow each other are one job.

    stages: stage -> the stages whose outputs it reads. labels: stage -> the values of its item, if it has any.
    """
    chains: list[tuple[str, ...]] = [(stage,) for stage in TopologicalSorter(stages).static_order()]
    for chain in _chains(stages):
        chains = [one for one in chains if one[0] not in chain[1:]]
        chains[chains.index((chain[0],))] = chain
    while True:
        jobs = [Job(chain, frozenset(labels.get(chain[0], ()))) for chain in chains]
        of = {stage: job for job in jobs for stage in job.stages}
        before = {job: {of[one] for stage in job.stages for one in stages[stage]} - {job} for job in jobs}
        try:
            return {job: before[job] for job in TopologicalSorter(before).static_order()}
        except CycleError as error:  # between two stages of a job another one has to run: such a job is no job
            split = {stage for job in error.args[1] for stage in job.stages}
            chains = [part for chain in chains for part in ([(s,) for s in chain] if chain[0] in split else [chain])]


class Choice(NamedTuple):
    """jobs: to run. left_out: what sums up systems, and would need others than the chosen ones."""

    jobs: set[Job]
    left_out: list[Job]


def choose(before: Before, systems: Collection[str], there: Sequence[str]) -> Choice:
    """The jobs of these systems, all that they depend on, and of what sums them up whatever reads no other system.

    there: the names of all systems.

    Raises:
        InputError: a name that is not there.
    """
    if unknown := [name for name in systems if name not in there]:
        raise InputError(
            f"there is no system {', '.join(unknown)} in this study (there are: {', '.join(there)}); correct "
            "the name, or add it to `systems` of the study in params.yaml"
        )
    wanted = {job for job in before if job.labels & set(systems)}
    of_them = set(wanted)
    left_out: list[Job] = []
    for job in reversed(before):
        if job in wanted:
            wanted |= before[job]
    for job, waits in before.items():
        if waits & of_them and not job.labels & set(there):
            of_them.add(job)
            (wanted.add if waits <= wanted else left_out.append)(job)
    return Choice(wanted, left_out)


def _chains(stages: Mapping[str, Set[str]]) -> list[tuple[str, ...]]:
    """Stages of an item of which each is the only one of that item to follow the one before, in that order."""
    items: dict[str, list[str]] = {}
    for stage in TopologicalSorter(stages).static_order():
        if "@" in stage:
            items.setdefault(stage.partition("@")[2], []).append(stage)
    found: list[tuple[str, ...]] = []
    for item in items.values():
        before = _nearest({stage: stages[stage] & set(item) for stage in item})
        after = {stage: [other for other in item if stage in before[other]] for stage in item}
        links = {a: after[a][0] for a in item if len(after[a]) == 1 and len(before[after[a][0]]) == 1}
        for first in item:
            if first in links and first not in links.values():
                chain = [first]
                while chain[-1] in links:
                    chain.append(links[chain[-1]])
                found.append(tuple(chain))
    return found


def _nearest(before: Mapping[str, Set[str]]) -> dict[str, set[str]]:
    """Without the stages that are also before another one that is before. Keys come after what they wait for."""
    all_before: dict[str, set[str]] = {}
    for stage, direct in before.items():
        all_before[stage] = set(direct).union(*(all_before[one] for one in direct))
    return {stage: set(direct).difference(*(all_before[one] for one in direct)) for stage, direct in before.items()}
