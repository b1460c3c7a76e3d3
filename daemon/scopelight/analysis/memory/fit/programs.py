"""Whether each program of a run fits into the memory that there is for it."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import attrs

from scopelight.analysis.memory.fit.records import NeededBasis, ProgramFit
from scopelight.analysis.memory.plan.available import available_to_programs, said_of_memory
from scopelight.analysis.memory.plan.program_choice import ProgramChoice, program_choice
from scopelight.analysis.memory.plan.records import MemoryModule
from scopelight.analysis.memory.plan.totals import main_memory_capacity
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.waiting.launching import as_program, function_of_program
from scopelight.findings import Finding, error, note
from scopelight.formats.errors import FormatError
from scopelight.model.run.prediction import Prediction
from scopelight.program.hlo.nouns import HloModule
from scopelight.program.memory.buffers import ModuleBuffers


def programs_fit(subject: Subject, choice: ProgramChoice) -> Sequence[ProgramFit]:
    """Every program, those first that do not fit, of these the user's own, then those that need most."""
    return subject.once("programs-fit", (), lambda: _programs_fit(subject, choice))


def verdict(subject: Subject) -> Finding | None:
    """Whether all that a compiler said of a run fits; None where the run is no prediction."""
    prediction = subject.profile.prediction
    if prediction is None:
        return None
    choice = subject.once("programs", (), lambda: program_choice(subject.profile, subject.line_options))
    return verdict_of(programs_fit(subject, choice), prediction.target, prediction.device)


def verdict_of(programs: Sequence[ProgramFit], target: str, device: str) -> Finding | None:
    """The same of some programs; None without any of which it is known."""
    known = [each for each in programs if each.fits is not None]
    if not known:
        return None
    # The first is the one that fits least.
    first = known[0]
    unfit = sum(each.fits is False for each in known)
    said = {
        "program": first.name,
        "needed_bytes": first.needed_bytes,
        "available_bytes": first.available_bytes,
        "target": target,
        "device": device,
        "programs": len(programs),
        "unknown": len(programs) - len(known),
    }
    evidence = (first.key,) if first.key is not None else ()
    if unfit:
        return attrs.evolve(error("does-not-fit-target", unfit=unfit, **said), evidence=evidence)
    return attrs.evolve(note("fits-target", **said), evidence=evidence)


def needed_by_plan(buffers: ModuleBuffers) -> int:
    """All that a compiler planned of main memory: what it holds against what there is."""
    return sum(each.bytes for each in buffers.allocations if each.memory_space == 0 and not each.is_thread_local)


def _programs_fit(subject: Subject, choice: ProgramChoice) -> Sequence[ProgramFit]:
    profile = subject.profile
    needed = _needed(choice)
    if profile.prediction is not None:
        found = list(_predicted(profile.prediction, choice, needed))
    else:
        capacity = main_memory_capacity(profile)
        found = [
            _fit(each, needed.get(each.program_id), capacity.bytes if capacity is not None else None)
            for each in choice.modules
        ]
    unfit = {each.program_id for each in found if each.fits is False}
    # Where the user's step has no room, it matters less that jax's own program for random numbers has none either.
    own = _written_by_user(subject, unfit) if len(unfit) > 1 else unfit
    return sorted(
        found, key=lambda each: (each.fits is not False, each.program_id not in own, -(each.needed_bytes or 0))
    )


def _written_by_user(subject: Subject, program_ids: Collection[str | None]) -> Collection[str | None]:
    """Those whose function, by which they are called, is in a file of the user's."""
    modules = [each for each in subject.profile.modules if each.program_id in program_ids]
    frames = centre_of(subject.profile, subject.line_options).frames
    return {module.program_id for module in modules if _is_written_by_user(module, frames)}


def _is_written_by_user(module: HloModule, frames: UserFrames) -> bool:
    function = function_of_program(module.name)
    stacks = {id(each.stack): each.stack for each in module.instructions if each.stack}
    return any(as_program(frame.function) == function for stack in stacks.values() for frame in frames.every(stack))


def _needed(choice: ProgramChoice) -> Mapping[str, int]:
    """What is planned, by `MemoryModule.program_id`."""
    found = {}
    for program_id, stored in choice.stored.items():
        try:
            buffers = stored.buffers()
        except FormatError:
            # The choice has said so already.
            continue
        if buffers is not None:
            found[program_id] = needed_by_plan(buffers)
    return found


def _fit(module: MemoryModule, needed_bytes: int | None, available_bytes: int | None) -> ProgramFit:
    """Of a program that nobody judged."""
    is_known = needed_bytes is not None and available_bytes is not None
    return ProgramFit(
        key=module.key,
        name=module.name,
        program_id=module.program_id,
        outcome=None,
        partitions=None,
        fits=(needed_bytes or 0) <= (available_bytes or 0) if is_known else None,
        needed_bytes=needed_bytes,
        available_bytes=available_bytes,
        peak_bytes=module.peak_bytes,
        basis=module.basis,
        needed_basis="plan" if needed_bytes is not None else None,
    )


def _predicted(prediction: Prediction, choice: ProgramChoice, needed: Mapping[str, int]) -> Iterator[ProgramFit]:
    modules = {each.program_id: each for each in choice.modules}
    available_bytes = available_to_programs(prediction)
    for each in prediction.programs:
        module = modules.get(str(each.number))
        needed_bytes = needed.get(str(each.number))
        basis: NeededBasis | None = "plan" if needed_bytes is not None else None
        if needed_bytes is None:
            needed_bytes = said_of_memory(each)[0]
            basis = "message" if needed_bytes is not None else None
        yield ProgramFit(
            key=module.key if module is not None else None,
            name=module.name if module is not None else each.name,
            program_id=module.program_id if module is not None else None,
            outcome=each.outcome,
            partitions=each.partitions,
            fits={"compiled": True, "no-room": False}.get(each.outcome),
            needed_bytes=needed_bytes,
            available_bytes=available_bytes,
            peak_bytes=module.peak_bytes if module is not None else None,
            basis=module.basis if module is not None else None,
            needed_basis=basis,
        )
