"""Follow a job to its end: carry out the window plan, and fill the run directory."""

import queue
import signal
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from scopelight.capture.actions import (
    Action,
    ArmSteps,
    Close,
    CountSteps,
    JudgeSteps,
    Observe,
    StepNumbers,
    StepsBefore,
    Stop,
    Trace,
)
from scopelight.capture.calibrating.calibrator import Calibrator
from scopelight.capture.clock_steps import clock_steps
from scopelight.capture.conditions.plan import ConditionalPlan
from scopelight.capture.conditions.watched_file import WatchedFile
from scopelight.capture.conducting.endings import exit_code
from scopelight.capture.conducting.job import Ended, Job
from scopelight.capture.conducting.nothing import Course, why_no_program, why_no_trace
from scopelight.capture.conducting.observer import Observer
from scopelight.capture.conducting.progress import Progress
from scopelight.capture.conducting.signals import Signals
from scopelight.capture.failures import CaptureFailure
from scopelight.capture.monitoring.watched_run import LOOKED_EVERY_SECONDS, WatchedRun
from scopelight.capture.observed import Traced
from scopelight.capture.publishing.compilation_record import CompilationRecord
from scopelight.capture.publishing.memory_record import MemoryRecord
from scopelight.capture.publishing.process_record import ProcessRecord
from scopelight.capture.publishing.publish import publish
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.publishing.sources import Sources
from scopelight.capture.resources.sampler import Sampler
from scopelight.capture.source import Captured
from scopelight.capture.whole import WholePlan
from scopelight.capture.window import WindowPlan
from scopelight.findings import Finding, warning
from scopelight.formats.lenient import from_json
from scopelight.model.run.information import (
    CaptureWindow,
    ScriptError,
    TraceCost,
    WindowKind,
    WindowOptions,
)

ASKED_EVERY_SECONDS = 0.2
"""So often it is looked whether someone asks for the window, while it can be asked for."""


class Conductor:
    """One capture in progress, to the end of the job.

    ``sources`` remembers the files of its scripts; ``on_window`` is called whenever a profile is on disk. With a
    ``calibrator`` the machine is measured after it. Where its windows are ``is_asked_for``, none comes by itself.
    """

    def __init__(
        self,
        run: RunDirectory,
        options: WindowOptions,
        sources: Sources,
        on_window: Callable[[RunDirectory], None],
        observer: Observer,
        calibrator: Calibrator | None = None,
        *,
        is_asked_for: bool = False,
    ) -> None:
        self.run = run
        kind = ConditionalPlan if options.is_of_steps else WholePlan if options.whole else WindowPlan
        self.plan = kind(options, is_asked_for=is_asked_for)
        self.sources = sources
        self._options = options
        self._on_window = on_window
        self._observer = observer
        self._watch = WatchedRun(run.path, observer)
        self._calibrator = calibrator
        self._memory = MemoryRecord(run)
        self._compilations = CompilationRecord(run)
        self._processes = ProcessRecord(run)
        self._sampler: Sampler | None = None
        self._started = time.time()
        self._traces = 0
        self._saw_jax = self._saw_backend = self._exiting = False
        self._exited = 0.0
        self._own_trace: Path | None = None
        self._trouble = ""
        self._progress = Progress(run)
        self._watched = None if options.watch is None else WatchedFile(Path(options.watch))

    def next_file(self) -> Path:
        """Where the next trace is to go."""
        self._traces += 1
        self.run.probes.mkdir(exist_ok=True)
        return self.run.probes / f"{self._traces}.xspace"

    def conduct(self, job: Job, sampler: Sampler | None = None) -> Captured:
        """Follow a job whose first trace begins with its backend, and return when it has ended and its profile is
        saved."""
        self._job, self._sampler = job, sampler
        if sampler is not None:
            sampler.start()
        with Signals(job) as self._signals:
            self._progress.started()
            self._do(self.plan.at_launch())
            try:
                returncode = self._follow()
            finally:
                for each in sampler.stop() if sampler is not None else ():
                    self.run.warn(each)
                self._observer.close()
                self._watch.close()
            # Signals are still ours: none may end this process before the profile is saved.
            return self._finish(returncode)

    def _follow(self) -> int | None:
        """Handle what the agent says until the job has ended; its exit code."""
        while True:
            asking = ASKED_EVERY_SECONDS if self.plan.is_waiting or self.plan.can_capture_again else None
            if self._watched is not None:
                asking = ASKED_EVERY_SECONDS
            waits = [self.plan.wake_after(time.monotonic()), self._signals.wake_after(), LOOKED_EVERY_SECONDS]
            patience = min(each for each in waits if each is not None)
            try:
                message = self._job.messages.get(timeout=patience)
            except queue.Empty:
                message = {}
            if isinstance(message, Ended):
                return message.returncode
            now = time.monotonic()
            self._do(self._hear(message, now))
            self._do(self.plan.tick(now))
            self._do(self._asked_by_file())
            self._watch.look(self._job, self.plan.steps_of, has_backend=self._saw_backend)
            if asking is not None and self.run.is_window_asked_for():
                self._progress.asked_by_hand()
                again = self.plan.can_capture_again
                self._do(self.plan.capture_again() if again else self.plan.capture_now(now))
            self._signals.pass_on(has_trace=self._saw_backend, is_exiting=self._exiting)

    def _asked_by_file(self) -> Action | None:
        """What the file asks for that is watched."""
        asked = None if self._watched is None or not self._saw_backend else self._watched.look()
        if asked is None or not isinstance(self.plan, ConditionalPlan):
            return None
        if not isinstance(asked, Finding):
            return self.plan.asked(steps=asked.steps, seconds=asked.seconds)
        self.plan.asked_unclearly()
        self.run.warn(asked)
        return None

    def _hear(self, message: dict[str, Any], now: float) -> Action | None:
        event = message.get("event")
        plan = self.plan
        if event == "jax":
            self._saw_jax = True
            self._versions(message["versions"])
            self.run.update(compilation_cache=message["cache"])
            self._progress.jax_appeared()
        elif event == "backend":
            self._saw_backend = True
            self._versions(message["versions"])
            self.run.update(
                backend=message["backend"],
                environment=message["environment"],
            )
            self._processes.hear(message, decides=True)
            self.sources.remember(message["files"])
            plan.backend(now)
            self._progress.backend_appeared(plan)
            self._look_closely(is_close=True)
            self._look_up_calibration()
        elif event == "lowered":
            plan.lowered(now)
            self._progress.lowered(message.get("program"))
        elif event == "compiled":
            plan.compiled(now, message["seconds"])
            self._progress.compiled()
            self._compilations.hear(message)
        elif event in ("traced", "idle"):
            self._signals.trace_is_saved()
            return self._traced(message) if event == "traced" else plan.stopped()
        elif event == "observed":
            action = plan.observed(message["observation"])
            self._progress.observed(message["observation"], plan)
            return action
        elif event in ("not-traced", "problem"):
            self._trouble = message["message"]
        elif event == "script-trace-started":
            plan.close()
        elif event == "script-trace-ended":
            return self._script_trace_ended(message["folder"], now)
        elif event in ("asked-to-end", "code-window-opened"):
            plan.close()
        elif event == "exiting":
            self._exiting, self._exited = True, message["time"]
            self.sources.remember(message["files"])
            self._versions(message["versions"])
        else:
            self._note(message)
        return None

    def _note(self, message: dict[str, Any]) -> None:
        """What changes nothing but what is known."""
        if message.get("event") == "steps-began" and isinstance(self.plan, ConditionalPlan):
            self.plan.steps_began()
        elif message.get("event") == "slow-steps-sought" and isinstance(self.plan, ConditionalPlan):
            self.plan.slow_steps_sought(message)
        elif message.get("event") == "slow-steps-before" and isinstance(self.plan, ConditionalPlan):
            before = from_json(message, StepsBefore)
            for each in () if before is None else self.plan.slow_steps_before(before):
                self._do(each)
        elif message.get("event") == "glanced":
            self._watch.glancing.hear(message)
        elif message.get("event") == "host-not-recorded":
            self.run.warn(warning("host-not-recorded", problem=message["message"]))
        elif message.get("event") == "another-backend":
            self._processes.hear(message, decides=False)
            self.sources.remember(message["files"])
        elif message.get("event") == "another-exiting":
            self.sources.remember(message["files"])
        elif message.get("event") == "cells":
            self.sources.remember_cells(message)
        elif message.get("event") == "script-error":
            self.run.update(error=from_json(message, ScriptError))
        else:
            self._memory.hear(message)

    def _do(self, action: Action | None) -> None:
        if action is not None:
            self._progress.acted(action, self.plan)
        match action:
            case Trace():
                self._look_closely(is_close=True)
                file = self.next_file()
                self._job.trace(file, action.after_seconds, action.seconds, is_window=action.is_window)
            case Stop():
                self._job.stop(self.next_file() if action.goes_on else None)
            case Observe():
                self._observer.look(
                    action.traced.file,
                    [each.file for each in action.earlier],
                    lambda seen: self._job.messages.put({"event": "observed", "observation": seen}),
                )
            case Close():
                self._publish(
                    [*action.earlier, action.traced], action.kind, action.findings, action.steps, action.numbers
                )
            case JudgeSteps():
                self._job.follow_steps("judge-steps", slow_ratio=action.slow_ratio)
            case CountSteps():
                self._job.follow_steps("count-steps", name=action.name)
                armed = self.plan.after_counting() if isinstance(self.plan, ConditionalPlan) else None
                self._do(armed)
                if not (isinstance(armed, ArmSteps) and armed.is_ring):
                    # The first session of a ring takes the place of the probe, with no step between.
                    self._job.stop(None)
            case ArmSteps():
                self.run.windows.mkdir(exist_ok=True)
                first, self._traces = self._traces + 1, self._traces + action.windows
                files = [self.run.windows / f"{number}.xspace" for number in range(first, self._traces + 1)]
                fields = attrs.asdict(action, filter=lambda field, _: field.name != "windows")
                self._job.follow_steps("trace-steps", files=files, **fields)

    def _look_closely(self, *, is_close: bool) -> None:
        """Have resources read often, since traces follow one another from now on, or seldom."""
        if self._sampler is not None:
            self._sampler.look_closely(is_close=is_close)

    def _versions(self, found: Mapping[str, str | None]) -> None:
        known = {name: version for name, version in found.items() if version is not None}
        self.run.update(versions={**self.run.information.versions, **known})

    def _traced(self, message: dict[str, Any]) -> Action | None:
        cost = TraceCost(**{each.name: message[each.name] for each in attrs.fields(TraceCost)})
        traced = Traced(**attrs.asdict(cost), file=Path(message["file"]))
        self.run.update(
            probes=(*self.run.information.probes, cost),
            jax_options=message["jax_options"],
            environment=message["environment"],
        )
        if message["by_code"]:
            self._publish([traced], "code", ())
            return None
        if message.get("steps") is not None and isinstance(self.plan, ConditionalPlan):
            numbers = from_json(message["steps"], StepNumbers)
            self.plan.slow_steps_sought(message["steps"].get("cost") or {})
            action = None if numbers is None else self.plan.steps_traced(traced, numbers)
            return None if self._exiting else action
        action = self.plan.traced(traced)
        is_window = isinstance(action, Trace) and action.is_window
        return action if is_window or not self._exiting else None

    def _publish(
        self,
        traces: Sequence[Traced],
        kind: WindowKind,
        findings: Iterable[Finding],
        steps: int | None = None,
        numbers: StepNumbers | None = None,
    ) -> None:
        """Make traces of ours, one after the other, the profile."""
        options = self._options
        found = [each.observation for each in self.plan.candidates if each.traced in traces]
        complete = found[0].periods if len(found) == 1 and found[0] is not None else None
        if numbers is not None:
            complete = numbers.count
        window = CaptureWindow(
            kind=kind,
            steps=steps,
            skip=options.skip if kind == "steps" and numbers is None else None,
            # The profiler stops when its time is over: steps beyond those asked for are no part of the window.
            complete_steps=min(complete, steps) if complete is not None and steps is not None else complete,
            seconds=sum(traced.seconds for traced in traces),
            period_seconds=self.plan.period_seconds,
            started_ns=int(traces[0].started * 1e9),
            closed_ns=int(traces[-1].stopped * 1e9),
            step_name=None if numbers is None else numbers.name,
            first_step=None if numbers is None else numbers.first,
            last_step=None if numbers is None else numbers.last,
            epoch=None if numbers is None else numbers.epoch,
            slow_steps=() if numbers is None else numbers.slow,
        )
        pause_seconds = max(traced.start_seconds + traced.stop_seconds for traced in traces)
        files = [traced.file for traced in traces]
        self._look_closely(is_close=False)
        processes = self._job.by_process(files)
        missing = [warning("process-not-captured", process=name, why=why) for name, why in self._job.missing()]
        findings = (*findings, *missing, *clock_steps(traces))
        self._processes.name_files(processes, self._job.pids())
        publish(self.run, processes, self.sources, window, pause_seconds=pause_seconds, warnings=findings)
        self._on_window(self.run)

    def _script_trace_ended(self, folder: str | None, now: float) -> Action | None:
        """The script's own trace wins; one that stays in memory is nowhere to be found, and ours goes on."""
        if folder is not None:
            self._own_trace = Path(folder)
            self._publish_own_trace()
        elif self.run.information.state != "captured" and not self._exiting:
            return self.plan.probe_again(now)
        return None

    def _publish_own_trace(self) -> None:
        """Copy the script's newest trace; newer versions of jax write it after they say that it ended."""
        if self._own_trace is None:
            return
        sessions = self._own_trace / "plugins" / "profile"
        files = [each for each in sessions.glob("*/*.xplane.pb") if each.stat().st_mtime >= self._started - 1]
        if not files:
            return
        newest = max(files, key=lambda each: each.stat().st_mtime_ns)
        self._own_trace = None
        window = CaptureWindow(kind="script", folder=str(sessions))
        process = newest.name.removesuffix(".xplane.pb")
        self._processes.name_files([process], {})
        publish(self.run, {process: [newest]}, self.sources, window, copies=True)
        self._on_window(self.run)

    def _finish(self, returncode: int | None) -> Captured:
        code = exit_code(returncode)
        self.run.update(exit_code=code, has_ended=True)
        self._memory.ended(returncode)
        self._publish_own_trace()
        failure = None
        if returncode is None or returncode >= 0:
            # Before the state becomes ``captured``, where it is not yet: a run opened then is complete.
            self._calibrate()
        if isinstance(self.plan, ConditionalPlan):
            self._keep_windows(self.plan)
        if self.run.information.state != "captured":
            failure = self._keep_the_best(returncode)
        elif not self.plan.closed:
            self._keep_the_last()
        self.run.discard_probes()
        self.run.discard_windows()
        # Who asked for it too late gets what there is.
        self.run.is_window_asked_for()
        if returncode == -signal.SIGINT:
            # An interrupt asks for an end: the profile comes first, and another interrupt skips the measurement.
            self._calibrate()
        if failure is None:
            return Captured(self.run, exit_code=code)
        self.run.update(state="failed", failure=failure.sentence)
        return Captured(self.run, exit_code=code or failure.exit_code, failure=failure.sentence)

    def _look_up_calibration(self) -> None:
        """Record what is known of this machine, where its CPU is the device, and whether it is to be measured."""
        self.run.update(calibrates=self._calibrator is not None)
        if self._calibrator is not None and self.run.information.backend == "cpu":
            known = self._calibrator.known(self._jax_version)
            if known is not None:
                self.run.update(calibration=known)

    def _calibrate(self) -> None:
        """Measure this machine unless it is known, its CPU was not the device, or an end was asked of us."""
        if self._calibrator is None or self.run.information.backend != "cpu" or self._signals.was_asked_to_end:
            return
        if not self._calibrator.is_due(self._jax_version):
            return
        self._progress.calibrates()
        measured, problem = self._calibrator.measure(self._jax_version)
        if measured is not None:
            self.run.update(calibration=measured)
        if problem is not None:
            self.run.warn(problem)
        self._progress.calibrated()

    @property
    def _jax_version(self) -> str:
        return self.run.information.versions.get("jax", "")

    def _keep_windows(self, plan: ConditionalPlan) -> None:
        """The script has ended: windows that were not looked at are, and what has not come is said."""
        for window in plan.unseen():
            self._do(plan.see(window, self._observer.look_now(window.traced.file)))
        for each in plan.at_end():
            self.run.warn(each)

    def _keep_the_last(self) -> None:
        """The script ended while another window was being captured: what there is of it is a window too."""
        for candidate in self.plan.candidates[-1:]:
            candidate.observation = self._observer.look_now(candidate.traced.file)
            if candidate.observation.executions:
                self._publish([candidate.traced], "probe", (warning("script-ended-early"),))

    @property
    def _course(self) -> Course:
        return Course(
            saw_jax=self._saw_jax, saw_backend=self._saw_backend, is_exiting=self._exiting, trouble=self._trouble
        )

    def _keep_the_best(self, returncode: int | None) -> CaptureFailure | None:
        """The script ended before the window closed: make the best trace the profile, or say why there is none."""
        for candidate in self.plan.candidates:
            if candidate.observation is None:
                candidate.observation = self._observer.look_now(candidate.traced.file)
        best = self.plan.best()
        if best is None:
            return why_no_trace(self.run.information, self._course, returncode)
        seen = best.observation
        if seen is not None and not seen.executions and not seen.is_unreadable:
            return why_no_program(self.run.information, returncode)
        self.plan.period_seconds = seen.period_seconds if seen is not None else None
        traces = [candidate.traced for candidate in self.plan.candidates]
        if self.plan.is_unbroken and self._exiting and traces[-1].stopped >= self._exited:
            self._publish(traces, "whole", ())
        else:
            # Where no window came that was asked for, it was said already.
            is_said = isinstance(self.plan, ConditionalPlan)
            self._publish([best.traced], "probe", () if is_said else (warning("script-ended-early"),))
        return None
