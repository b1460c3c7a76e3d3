"""One script for several TPUs, or with several values of one of its arguments: a predicted run of each."""

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import attrs

from scopelight.capture.calibrating.hardware import memory_bytes
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.launching.launch import Script
from scopelight.capture.preflight.judgement import Judged
from scopelight.capture.preflight.preflight_source import MOST_CALLS, MOST_PROGRAMS, PreflightSource, PreflightSpec
from scopelight.capture.publishing.run_directory import file_name
from scopelight.capture.source import Captured
from scopelight.capture.tpu_compiler.environment import CompilerEnvironment
from scopelight.capture.tpu_compiler.flags import VARIABLE, flags_of, refusal
from scopelight.capture.tpu_compiler.process import CompilerProcess
from scopelight.capture.tpu_compiler.topologies import Topology
from scopelight.capture.tpu_compiler.verdicts import Verdicts
from scopelight.model.run.prediction import PreflightMode

MOST_MEMORY_RATIO = 0.6
"""Of the machine's memory, that the compiler may take where nobody says otherwise."""


@attrs.frozen
class Variant:
    """A script as it is run, and the TPU that it is compiled for; ``name`` tells it from the others."""

    name: str
    topology: Topology
    script: Script


def variants(
    script: Script, topologies: Sequence[Topology], argument: str | None = None, values: Sequence[str] = ()
) -> Sequence[Variant]:
    """Each topology with each of an argument's values; without an argument, each topology.

    What is there twice is taken once, by its first name.
    """
    found: list[Variant] = []
    values = tuple(dict.fromkeys(values))
    different: dict[Topology, Topology] = {}
    for each in topologies:
        different.setdefault(attrs.evolve(each, name=""), each)
    for topology in different.values():
        if argument is None:
            found.append(Variant(topology.name, topology, script))
        else:
            found.extend(
                Variant(
                    f"{topology.name} {argument.lstrip('-')} {value}", topology, with_argument(script, argument, value)
                )
                for value in values
            )
    return found


def with_argument(script: Script, name: str, value: str) -> Script:
    """A script whose argument ``name`` has another value: in place where it is given, else at the end.

    ``--name VALUE``, ``--name=VALUE`` and, as absl writes them, ``-name`` are found; ``name`` may lack its dashes.
    """
    plain = name.lstrip("-")
    spellings = (f"--{plain}", f"-{plain}")
    arguments = list(script.arguments)
    for place, each in enumerate(arguments):
        flag, equals, _ = each.partition("=")
        if flag in spellings and equals:
            arguments[place] = f"{flag}={value}"
            break
        if flag in spellings and place + 1 < len(arguments):
            arguments[place + 1] = value
            break
    else:
        arguments.append(f"{name if name.startswith('-') else f'--{plain}'}={value}")
    return attrs.evolve(script, arguments=tuple(arguments))


@attrs.define
class Preflights:
    """Runs of several variants one after the other, in ``cwd`` with ``python``, compiled by one process.

    ``out`` is the run directory of a single one, and that around those of several. None for ``most_bytes``: the
    compiler may take most of the machine's memory. ``on_wait`` is told what is done once a script has ended.
    """

    variants: Sequence[Variant]
    compiler: CompilerEnvironment
    python: str
    cwd: Path
    environment: Mapping[str, str]
    out: Path | None = None
    mode: PreflightMode = "dry"
    most_calls: int = MOST_CALLS
    most_programs: int = MOST_PROGRAMS
    most_bytes: int | None = None
    judges: Judged = "failed"
    on_wait: Callable[[str], None] = lambda _: None
    _source: PreflightSource | None = attrs.field(default=None, init=False)
    cancelled_by: int | None = attrs.field(default=None, init=False)
    """The signal."""

    def capture(self) -> Sequence[tuple[str, Captured]]:
        """Those of the variants by their names, as far as nobody cancels.

        Raises `CaptureFailure` for what prevents all of them.
        """
        flags = flags_of(self.environment)
        self._refuse_flags(flags)
        most_bytes = self.most_bytes or round(memory_bytes()[0] * MOST_MEMORY_RATIO)
        process = CompilerProcess(self.compiler, most_bytes, flags)
        captured: list[tuple[str, Captured]] = []
        try:
            for each in self.variants:
                if self.cancelled_by is not None:
                    break
                self._source = PreflightSource(
                    each.script,
                    self.python,
                    self.cwd,
                    self.environment,
                    process,
                    Verdicts(self.compiler.verdicts),
                    keeps_output_apart=True,
                    on_wait=self.on_wait,
                )
                captured.append((each.name, self._source.capture(self._spec(each))))
                others = len(self.variants) - 1
                if others and len(captured) == 1 and self._source.refused_arguments:
                    # They would all be refused: what differs is at most the value of an argument.
                    captured[0] = (each.name, _without_others(captured[0][1], others))
                    break
        finally:
            process.close()
        return captured

    def cancel(self, number: int = signal.SIGINT) -> None:
        """End what is under way, as a signal asks for; what is known by then is kept."""
        self.cancelled_by = number
        if self._source is not None:
            self._source.cancel(number)

    def _refuse_flags(self, flags: str) -> None:
        if not flags:
            return
        said = refusal(self.compiler.python, self.variants[0].topology, os.environ, flags)
        if said is not None:
            raise CaptureFailure(
                f"libtpu does not take {VARIABLE} ({said}): mend or unset the variable, and try again.",
                Exit.NOT_CAPTURED,
            )

    def _spec(self, variant: Variant) -> PreflightSpec:
        out = self.out
        if out is not None and len(self.variants) > 1:
            out = out / file_name(variant.name)
        return PreflightSpec(variant.topology, out, self.mode, self.most_calls, self.most_programs, self.judges)


def _without_others(captured: Captured, others: int) -> Captured:
    left = "The other run was" if others == 1 else f"The {others} other runs were"
    return attrs.evolve(captured, failure=f"{captured.failure} {left} not tried.")
