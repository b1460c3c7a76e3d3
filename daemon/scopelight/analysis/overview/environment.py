"""The environment of a run: what it ran on, how it was started, and how large its batches are."""

from collections import Counter
from typing import Final

from scopelight.analysis.overview.records import RunEnvironment
from scopelight.analysis.records import DeviceRecord
from scopelight.model.profile import Profile
from scopelight.program.hlo.nouns import HloModule

_QUIET: Final = ("TF_CPP_MIN_LOG_LEVEL", "TPU_SKIP_MDS_QUERY")
"""Variables that jax itself sets, and that change no speed."""


def run_environment(profile: Profile, devices: tuple[DeviceRecord, ...], main: HloModule | None) -> RunEnvironment:
    """What is known; ``main`` is the program that most of the steps' time goes to."""
    capture, resources = profile.capture, profile.resources()
    size, arguments = batch_of(main) if main is not None else (None, ())
    hosts = len({each.host for each in profile.executions.devices}) or 1
    if capture is None:
        return RunEnvironment(hosts, devices, batch_size=size, batch_arguments=arguments)
    flags = {name: value for name, value in capture.environment.items() if name not in _QUIET}
    return RunEnvironment(
        hosts=hosts,
        devices=devices,
        cores=None if resources is None else resources.cores,
        usable_cores=None if resources is None else resources.usable_cores,
        memory_bytes=None if resources is None else resources.memory_bytes,
        batch_size=size,
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


def batch_of(module: HloModule) -> tuple[int | None, tuple[str, ...]]:
    """The leading size that most of the arguments share whose shape no result has, and their names.

    What a program hands on from step to step comes back in the shape that it went in; data does not.
    """
    entry = module.computations[module.entry]
    results = {(each.element_type, each.dimensions) for each in module.instructions[entry.root].shape.arrays}
    parameters = [
        each
        for row in entry.instructions
        if (each := module.instructions[row]).opcode == "parameter"
        and each.shape.dimensions
        and (each.shape.element_type, each.shape.dimensions) not in results
    ]
    sizes = Counter(each.shape.dimensions[0] for each in parameters)
    if not sizes:
        return None, ()
    size, _ = max(sizes.items(), key=lambda each: (each[1], each[0]))
    names = (each.op_name or each.name for each in parameters if each.shape.dimensions[0] == size)
    return size, tuple(dict.fromkeys(names))
