"""The centre: totals, attribution and charges of a profile under options, computed once and kept with the profile."""

import functools
import threading
import weakref
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from scopelight.analysis.device_time.busy import without_busy
from scopelight.analysis.device_time.division import Division, divide
from scopelight.analysis.options import OptionError, Scope
from scopelight.analysis.steps.steps import Steps, find_steps
from scopelight.analysis.totals.attribution import Attribution, attribution
from scopelight.analysis.totals.charging import Charges, charge
from scopelight.analysis.totals.cpu_time import CpuOfScope, CpuTime, cpu_time
from scopelight.analysis.totals.extent import PROGRAM, extent_of, traced_ps, wall_of
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.analysis.totals.instruction_totals import InstructionTotals, instruction_totals
from scopelight.analysis.totals.keys import LineKeys, OpKeys, ProgramKeys
from scopelight.analysis.totals.meetings import Meetings, meetings_of
from scopelight.analysis.totals.scoped import Scoped
from scopelight.analysis.totals.shares import Share, Shares
from scopelight.analysis.totals.waiting.charging import WaitingOfScope, charge_waiting, chosen_pieces
from scopelight.analysis.totals.waiting.pieces import Pieces, pieces_of
from scopelight.findings import Finding
from scopelight.model.cost.static_program import StaticProgram, static_program
from scopelight.model.executions import Executions
from scopelight.model.profile import Profile, recorded_paths
from scopelight.model.spans import Spans
from scopelight.phrase import Phrase
from scopelight.program.cost.rates import BackendRates
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import HloModule, Instruction

KEPT_OPTIONS = 3
"""Of each profile, those that were asked for last."""


class Centre:
    """What the analyses of one profile under one set of options have in common. Safe to use from several threads.

    ``executions`` are the profile's; where nothing of its programs ran, one of each of their instructions, of 0 ps.
    """

    def __init__(self, profile: Profile, options: LineOptions) -> None:
        self.options = options
        of_capture = profile.capture.findings if profile.capture is not None else ()
        self.findings: tuple[Finding, ...] = (*profile.findings, *of_capture, *options.findings)
        """What every view of the profile says of it."""
        self.frames = UserFrames(options, profile.capture.cwd if profile.capture else None)
        self.shares = Shares(self.frames)
        self.steps: Steps = find_steps(profile)
        # A profile keeps its centres: one that kept it in turn would never be let go.
        self._profile: Profile = weakref.proxy(profile)
        self.static: StaticProgram | None = None
        """Where nothing ran."""
        self.executions: Executions = profile.executions
        if not len(profile.executions) and profile.modules:
            self.static = static_program(profile.modules)
            self.executions = self.static.executions
        self.division: Division = divide(
            self.executions, self.steps.start_ps, self.steps.start_ps + self.steps.duration_ps
        )
        self.totals: InstructionTotals = instruction_totals(self.executions, self.steps, self.division)
        """Those of all devices and the whole window."""
        if profile.prediction is not None:
            self.findings = (*self.findings, *self._of_prediction(profile))
        self._window_ps, self._compiling = traced_ps(profile), profile.compiling
        self._stored = tuple((each.program_id, each.name) for each in profile.programs)
        self._modules = tuple(profile.modules)
        self._host_names = tuple(profile.host_names)
        self._scoped: dict[tuple[Scope, tuple[int, ...] | None], Scoped] = {}
        self._meetings: dict[Scope, Meetings] = {}
        self._lock = threading.RLock()

    @property
    def findings_of_steps(self) -> tuple[Finding, ...]:
        """`findings`, and why there are no steps: once, for the capture may have said so already."""
        why_none = self.steps.why_none
        if why_none is None or any(each.code == why_none.code for each in self.findings):
            return self.findings
        return (*self.findings, why_none)

    def _of_prediction(self, profile: Profile) -> Iterator[Finding]:
        from scopelight.analysis.totals.predicted import prediction_findings  # noqa: PLC0415 (few profiles are)

        steps = len(self.steps)
        totals = self.totals.of_scope("steps" if steps else "window")
        return prediction_findings(profile, self.executions, totals, steps, self.frames)

    @property
    def attribution(self) -> Attribution:
        """How the time of each op that ran is divided among lines."""
        with self._lock:
            return self._attribution

    @property
    def parts(self) -> Mapping[int, Sequence[Share]]:
        """The same by op."""
        with self._lock:
            return self._parts

    @property
    def devices(self) -> Mapping[str, int]:
        """The devices that ran ops: their names to their rows; with the host where several hosts have one name."""
        rows = self.totals.device_rows if self.static is None else ()
        devices = {row: self.totals.devices[row] for row in rows}
        named = Counter(device.name for device in devices.values())
        return {
            device.name if named[device.name] == 1 else f"{device.name} ({self._host_name(device.host)})": row
            for row, device in devices.items()
        }

    @cached_property
    def hosts(self) -> Mapping[str, tuple[int, ...]]:
        """The rows of the devices of each host that ran ops, by what it is called; nothing where there is one host."""
        rows: dict[int, tuple[int, ...]] = {}
        for row in self.devices.values():
            host = self.totals.devices[row].host
            rows[host] = (*rows.get(host, ()), row)
        return {self._host_name(host): each for host, each in sorted(rows.items())} if len(rows) > 1 else {}

    def _host_name(self, host: int) -> str:
        """What a host's files are called; two hosts have two names."""
        return self._host_names[host] if host < len(self._host_names) else f"host {host}"

    def device_rows(self, name: str | None) -> tuple[int, ...] | None:
        """The rows of a device by its name, or of all devices of a host; None, which is all devices, for None.

        Raises `OptionError` where no device of that name ran anything.
        """
        if name is None:
            return None
        if name in self.hosts:
            return self.hosts[name]
        if name not in self.devices:
            known = ", ".join([*self.devices, *self.hosts]) or Phrase("none")
            raise OptionError(
                "device",
                Phrase(
                    "No device called {name} ran anything in this profile; those that did: {known}.",
                    name=name,
                    known=known,
                ),
            )
        return (self.devices[name],)

    def scoped(self, scope: Scope, device: str | None = None) -> Scoped:
        """What of the profile is looked at, of a device or host by its name or of all; of a window without steps all.

        Raises `OptionError` where no device of that name ran anything.
        """
        chosen: Scope = scope if len(self.steps) and self.static is None else "window"
        rows = self.device_rows(device)
        with self._lock:
            if (chosen, rows) not in self._scoped:
                self._scoped[chosen, rows] = self._look_at(chosen, rows)
            return self._scoped[chosen, rows]

    def _charge(self, totals: InstructionTotals, cpu: CpuOfScope | None) -> Charges:
        executions = self.executions
        of_op_ps = None if cpu is None else cpu.of_op_ps
        with self._lock:
            return charge(executions.ops, executions.programs, totals, self._parts, self.frames, of_op_ps)

    @property
    def cpu(self) -> CpuTime | None:
        """How long the ops of XLA:CPU were on cores; None where that is not known."""
        with self._lock:
            return self._cpu

    @cached_property
    def _cpu(self) -> CpuTime | None:
        return cpu_time(self._profile, self.steps) if self.static is None else None

    def _cpu_of(self, totals: InstructionTotals, scope: Scope, *, is_of_all: bool) -> CpuOfScope | None:
        return None if self.cpu is None else self.cpu.of_scope(totals, scope, is_of_all=is_of_all)

    def _look_at(self, scope: Scope, rows: tuple[int, ...] | None) -> Scoped:
        of_devices = self.totals if rows is None else self.totals.of_devices(rows)
        totals = of_devices.of_scope(scope)
        extent = PROGRAM if self.static is not None else extent_of(self._window_ps, self.steps, totals, scope)
        devices = totals.device_rows if self.static is None else ()
        return Scoped(
            totals=totals,
            extent=extent,
            wall=wall_of(
                extent,
                devices,
                self.division,
                self._compiling_of,
                self.steps,
                of_devices.of_scope("steps").device_rows if scope == "outside" else (),
            ),
            charge=self._charge,
            look_at_clocks=functools.partial(self._cpu_of, totals, scope, is_of_all=rows is None),
            wait=functools.partial(self._wait, scope, devices, of_devices.of_scope("steps").device_rows),
        )

    def _wait(self, scope: Scope, devices: Sequence[int], in_steps: Sequence[int]) -> WaitingOfScope:
        with self._lock:
            rows = chosen_pieces(self._pieces, scope, devices, in_steps)
            return charge_waiting(self._pieces, rows, self.frames, self._parts)

    @cached_property
    def user_files(self) -> Sequence[str]:
        """The files of the user's that frames name, as they were recorded."""
        return [path for path in recorded_paths(self._profile) if not self.frames.file(path).is_library]

    def text(self, path: str, line: int) -> str | None:
        """A line of a file that frames name, as it was when it ran; None where it is not known."""
        file = self.frames.file(path).file
        return None if file is None else self.options.text(file, line)

    def indented_text(self, path: str, line: int) -> str | None:
        """The same with its indentation."""
        file = self.frames.file(path).file
        return None if file is None else self.options.indented_text(file, line)

    @property
    def pieces(self) -> Pieces:
        """All idle time of the devices, cut wherever anything changes of which it may be part."""
        with self._lock:
            return self._pieces

    @cached_property
    def _pieces(self) -> Pieces:
        return pieces_of(self._profile, self.steps, self.frames, self.indented_text)

    def meetings(self, scope: Scope) -> Meetings | None:
        """What ops waited for other devices, and moved; None where nothing ran."""
        if self.static is not None or not len(self.executions):
            return None
        with self._lock:
            if scope not in self._meetings:
                self._meetings[scope] = meetings_of(self._profile, self.steps, scope)
            return self._meetings[scope]

    @property
    def op_keys(self) -> Mapping[int, str]:
        """By row of an op that ran its key."""
        with self._lock:
            return self._op_keys

    def ops_of_key(self, key: str) -> Sequence[int]:
        """Rows of the ops of a key, several where several hosts ran it; none where nothing of it ran."""
        with self._lock:
            return self._rows_of_key.get(key, ())

    def program_key(self, program_id: str, name: str) -> str:
        """The key of a program."""
        with self._lock:
            return self._program_keys.of(program_id, name)

    def instruction_key(
        self, program_key: str, module: HloModule, instruction: Instruction, rates: BackendRates
    ) -> str:
        """The key of an instruction of a program, whether it ran or not."""
        with self._lock:
            return self._keys_of_ops.of_instruction(program_key, module, instruction, rates)

    def line_key(self, frame: Frame) -> str:
        """The key of the line of a frame."""
        with self._lock:
            return self._line_keys.line(frame)

    def function_key(self, path: str, function: str) -> str:
        """The key of a function of a recorded path."""
        with self._lock:
            return self._line_keys.function(path, function)

    @cached_property
    def _compiling_of(self) -> Mapping[int, Spans]:
        """By device when a host compiled while it ran nothing."""
        if self._compiling is None:
            return {}
        return {row: without_busy(self._compiling, self.executions, row) for row in self.totals.device_rows}

    @cached_property
    def _op_keys(self) -> Mapping[int, str]:
        return self._keys_of_ops.of_ops(self.executions, self.totals)

    @cached_property
    def _rows_of_key(self) -> Mapping[str, Sequence[int]]:
        rows: dict[str, list[int]] = {}
        for row, key in self._op_keys.items():
            rows.setdefault(key, []).append(row)
        return rows

    @cached_property
    def _keys_of_ops(self) -> OpKeys:
        return OpKeys(self._program_keys, self._line_keys, self.shares, self.frames)

    @cached_property
    def _program_keys(self) -> ProgramKeys:
        return ProgramKeys(self.executions, self._attribution, self._stored, self._line_keys)

    @cached_property
    def _line_keys(self) -> LineKeys:
        modules = {id(op.module): op.module for op in self.executions.ops if op.module is not None}
        modules.update((id(module), module) for module in self._modules)
        stacks = {id(each.stack): each.stack for each in self.executions.ops}
        for module in modules.values():
            stacks.update((id(each.stack), each.stack) for each in module.instructions)
        return LineKeys(stacks.values(), self.frames, self.options.text)

    @cached_property
    def _attribution(self) -> Attribution:
        return attribution(self.executions.ops, self.totals, self.shares)

    @cached_property
    def _parts(self) -> Mapping[int, Sequence[Share]]:
        return self._attribution.parts()


class _Centres:
    """The centres of one profile."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.kept: list[Centre] = []


_centres: weakref.WeakKeyDictionary[Profile, _Centres] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def centre_of(profile: Profile, options: LineOptions | None = None) -> Centre:
    """The centre of a profile: the same one for the same options, as long as the profile is there."""
    options = options or LineOptions()
    with _lock:
        of_profile = _centres.setdefault(profile, _Centres())
    with of_profile.lock:
        kept = of_profile.kept
        centre = next((each for each in kept if each.options == options), None)
        if centre is None:
            centre = Centre(profile, options)
        else:
            kept.remove(centre)
        kept.append(centre)
        del kept[:-KEPT_OPTIONS]
        return centre
