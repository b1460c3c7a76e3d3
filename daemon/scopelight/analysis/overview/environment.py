"""The environment of a run: what it ran on, how it was started, and how large its batches are."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from scopelight.analysis.overview.records import RunEnvironment
from scopelight.analysis.records import DeviceRecord
from scopelight.model.profile import Profile
from scopelight.program.hlo.nouns import HloModule

_QUIET: Final = ("TF_CPP_MIN_LOG_LEVEL", "TPU_SKIP_MDS_QUERY")
"""Variables that jax itself sets, and that change no speed."""


def run_environment(profile: Profile, devices: tuple[DeviceRecord, ...], main: Sequence[HloModule]) -> RunEnvironment:
    """What is known; ``main`` are the programs of the function that most of the steps' time goes to."""
    capture, resources = profile.capture, profile.resources()
    size, most, arguments = _batch_of_all(main)
    hosts = len({each.host for each in profile.executions.devices}) or 1
    if capture is None:
        return RunEnvironment(hosts, devices, batch_size=size, batch_size_most=most, batch_arguments=arguments)
    flags = {name: value for name, value in capture.environment.items() if name not in _QUIET}
    return RunEnvironment(
        hosts=hosts,
        devices=devices,
        cores=None if resources is None else resources.cores,
        usable_cores=None if resources is None else resources.usable_cores,
        memory_bytes=None if resources is None else resources.memory_bytes,
        batch_size=size,
        batch_size_most=most,
        batch_arguments=arguments,
        versions=capture.versions,
        flags={**flags, **capture.jax_options},
        command=(*capture.command,) or (*((capture.script,) if capture.script else ()), *capture.args),
        folder=capture.cwd,
        python=capture.python,
        platform=capture.platform,
        created=capture.created,
        git_commit=None if capture.git is None else capture.git.commit,
        git_dirty=None if capture.git is None else capture.git.dirty,
    )


def _batch_of_all(main: Sequence[HloModule]) -> tuple[int | None, int | None, tuple[str, ...]]:
    """The least batch size, the greatest where it changes, and the arguments that have it."""
    found = [batch_of(each) for each in main]
    sizes = [size for size, _ in found if size is not None]
    if not sizes:
        return None, None, ()
    names = next(names for size, names in found if size is not None)
    return min(sizes), max(sizes) if max(sizes) > min(sizes) else None, names


def batch_of(module: HloModule) -> tuple[int | None, tuple[str, ...]]:
    """The leading size that most of the arguments share whose shape no result has, and their names.

    What a program hands on from step to step comes back in the shape that it went in; data does not. Parameters that
    the program does not call as its arguments are called tell nothing.
    """
    entry = module.computations[module.entry]
    results = {(each.element_type, each.dimensions) for each in module.instructions[entry.root].shape.arrays}
    parameters = [
        each
        for row in entry.instructions
        if (each := module.instructions[row]).opcode == "parameter"
        and each.shape.dimensions
        and each.op_name
        and not _of_an_op(each.op_name)
        and (each.shape.element_type, each.shape.dimensions) not in results
    ]
    sizes = Counter(each.shape.dimensions[0] for each in parameters)
    if not sizes:
        return None, ()
    size, _ = max(sizes.items(), key=lambda each: (each[1], each[0]))
    names = (each.op_name for each in parameters if each.shape.dimensions[0] == size)
    return size, tuple(dict.fromkeys(names))


def _of_an_op(name: str) -> bool:
    """Whether it is a path of scopes, and no argument: ``params['layer/0']`` is one."""
    return name.startswith(("jit(", "pjit(")) or "/" in name.partition("[")[0]
