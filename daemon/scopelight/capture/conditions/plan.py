"""Windows of steps by the script's own count: pure decisions, as those of `WindowPlan` are.

Which function is the step is found as ever, from probes; meanwhile the job counts all of them, and goes by its own
guess where a window is due before. Windows are begun and ended by the job, and looked at here one after the other.
"""

from collections import deque
from collections.abc import Iterator

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
    Trace,
)
from scopelight.capture.limits import larger_than_asked
from scopelight.capture.observed import Candidate, Observation, Traced
from scopelight.capture.window import WindowPlan
from scopelight.findings import Finding, note, warning
from scopelight.model.run.information import WindowOptions

MOST_APART_RATIO = 0.1
"""So much more or less often runs what runs in every step: a trace that begins with the first of them lacks some."""

MOST_BETWEEN_SECONDS = 0.5
"""So long after another at most a trace begins that follows it."""


@attrs.frozen
class Window:
    """A window that was traced, and is to be looked at."""

    traced: Traced
    numbers: StepNumbers


class ConditionalPlan(WindowPlan):
    """A plan whose windows begin where the script's own count of steps, or of epochs, says so."""

    def __init__(self, options: WindowOptions, *, is_asked_for: bool = False) -> None:
        super().__init__(options, is_asked_for=is_asked_for)
        self._looked_at: deque[Window | None] = deque()
        """What is being looked at, in order; None: a probe."""
        self._is_open = False
        self._before: StepsBefore | None = None
        self._sought: dict[str, float] = {}
        self._captured = 0
        self._was_unclear = False
        """Whether the watched file asked for what is not understood."""
        self._is_timed = False
        """Whether the window that runs is one of time."""

    def at_launch(self) -> Action | None:
        """What the job is to do from its first step on."""
        options = self.options
        if options.watch is not None:
            return None
        if options.slow_ratio is not None:
            return JudgeSteps(options.slow_ratio)
        windows = 1 if options.every is None else options.most_windows
        return attrs.evolve(
            self._armed(options.steps),
            first=_first_asked(options),
            every=options.every,
            epoch=options.epoch,
            windows=windows,
        )

    def steps_began(self) -> None:
        """The job has begun a window, in the place of the probe where one ran."""
        self._is_open, self._probing, self._after_stop = True, False, None

    def slow_steps_sought(self, told: dict[str, float]) -> None:
        """What looking for slow steps has cost up to now."""
        self._sought = told

    def slow_steps_before(self, steps: StepsBefore) -> Iterator[Observe]:
        """The job has had slow steps before it looked for them: the probes that hold them are windows, and so is the
        one that still runs where the script ends before they were looked for."""
        self._before = steps
        for each in self.candidates:
            if not each.is_window and (action := self._probe_with_slow_step(each.traced)) is not None:
                yield action

    def traced(self, traced: Traced) -> Action | None:
        """A probe has ended."""
        if self._is_timed:
            self._is_timed = self._is_open = False
            self.closed = self.is_captured = True
            self._captured += 1
            return Close(traced, "seconds", tuple(larger_than_asked(traced.bytes, self.options)))
        if self._is_open or not self._probing or self._before is not None:
            self.candidates.append(Candidate(traced, is_window=False))
            return self._probe_with_slow_step(traced)
        action = super().traced(traced)
        if isinstance(action, Observe):
            self._looked_at.append(None)
        return action

    def steps_traced(self, traced: Traced, numbers: StepNumbers) -> Action | None:
        """A window of the job's has ended."""
        self._is_open = False
        if not numbers.count and (self._captured or self._looked_at):
            # The script ended, and the step that it would have begun with never came.
            return None
        if self.options.slow_ratio is not None and self._kept >= self.options.most_windows:
            # Some were there before the job looked for them.
            return None
        self._looked_at.append(Window(traced, numbers))
        return Observe(traced)

    def observed(self, observation: Observation) -> Action | None:
        """What was looked at first has been seen."""
        window = self._looked_at.popleft() if self._looked_at else None
        if window is not None:
            return self._seen(window, observation)
        if self._is_open or not self._probing:
            # A window has begun meanwhile, by the job's own guess.
            self._observed = None
            return None
        action = super().observed(observation)
        if isinstance(self._after_stop, CountSteps):
            action, self._after_stop = self._after_stop, None
            self._stopping = self._probing = False
        return action

    def after_counting(self) -> Action | None:
        """The job knows which function is the step."""
        options = self.options
        if options.slow_ratio is None:
            # Once it is known how much is written in a second.
            return self.at_launch() if options.most_bytes is not None and not self._is_open else None
        return attrs.evolve(
            self._armed(options.steps),
            slow_ratio=options.slow_ratio,
            after_slow=options.slow_by == "timer",
            most_cost_ratio=options.most_cost_ratio,
            windows=options.most_windows,
        )

    def asked(self, *, steps: int | None, seconds: float | None) -> Action:
        """A window is asked for: of the next steps, or of time."""
        if seconds is None:
            return self._armed(self.options.steps if steps is None else steps)
        self._is_timed, self._is_open, self._probing = True, True, False
        limit = self.most_seconds
        return Trace(0.0, seconds if limit is None else min(seconds, limit), is_window=True)

    def asked_unclearly(self) -> None:
        """The watched file was changed, and asks for nothing that could be captured."""
        self._was_unclear = True

    def unseen(self) -> Iterator[Window]:
        """The windows that were traced and not looked at when the script ended."""
        while self._looked_at:
            if (window := self._looked_at.popleft()) is not None:
                yield window

    def at_end(self) -> Iterator[Finding]:
        """What was asked for and has not come."""
        options, sought = self.options, self._sought
        if sought.get("steps"):
            told = note(
                "slow-steps-sought",
                steps=round(sought["steps"]),
                traced=round(sought["traced_steps"]),
                chance_ratio=sought["traced_steps"] / sought["steps"],
                cost_s=sought["cost_seconds"] / sought["steps"],
                cost_ratio=sought["cost_seconds"] / max(sought["passed_seconds"], 1e-9),
            )
            # Where none was captured it is why.
            yield told if self._captured else attrs.evolve(told, severity="warning")
        if self._captured:
            return
        if options.slow_ratio is not None:
            yield warning("no-slow-step", ratio=options.slow_ratio)
        elif options.epoch is not None:
            yield warning("epoch-not-reached", epoch=options.epoch)
        elif options.watch is not None and self._was_unclear:
            yield warning("no-window-of-watched-file", path=options.watch)
        elif options.watch is not None:
            yield warning("watched-file-unchanged", path=options.watch)
        else:
            yield warning("step-not-reached", step=_first_asked(options))

    def see(self, window: Window, observation: Observation) -> Close:
        """A window was looked at after the script's end."""
        return self._seen(window, observation)

    @property
    def is_waiting(self) -> bool:
        """Never: the window begins where the script's own count says so."""
        return False

    @property
    def can_capture_again(self) -> bool:
        """Whether another window disturbs none that is still to come."""
        if self._is_open or self._backend_at is None or not self.options.has_room:
            return False
        return self.options.watch is not None or self._captured > 0

    def capture_again(self) -> Action:
        """Another window is asked for by hand: it begins with the next step."""
        return self.asked(steps=None, seconds=None)

    def _probe_with_slow_step(self, traced: Traced) -> Observe | None:
        if self._before is None:
            return None
        # A step that lies between two traces is in the later one; what these make longer is not slow.
        began = self._end_of_trace_before(traced.started)
        held = self._before.within(began, traced.stopped)
        were_slow = self._before.slow_beside(began, traced.started, self.options.slow_ratio or 0.0)
        slow = tuple(each for each in were_slow if each in held)
        if not slow:
            return None
        self._looked_at.append(Window(traced, StepNumbers(held[0], len(held), len(held), self._before.name, slow=slow)))
        return Observe(traced)

    def _end_of_trace_before(self, started: float) -> float:
        """When the trace ended that one which started then has followed; its own start where it followed none."""
        stopped = [each.traced.stopped for each in self.candidates]
        return max((each for each in stopped if started - MOST_BETWEEN_SECONDS <= each <= started), default=started)

    @property
    def _kept(self) -> int:
        return self._captured + sum(each is not None for each in self._looked_at)

    def _armed(self, steps: int) -> ArmSteps:
        return ArmSteps(steps, most_seconds=self.most_seconds)

    def _seen(self, window: Window, seen: Observation) -> Close:
        traced, numbers = window.traced, window.numbers
        findings = [*self._left_out(window), *self._unlike(numbers, seen)]
        findings += larger_than_asked(traced.bytes, self.options)
        if numbers.count < numbers.asked and (cut := seen.cut) is not None:
            findings.append(note("steps-cut", **attrs.asdict(cut)))
        if traced.compiles:
            findings.append(warning("script-still-compiles", programs=traced.compiles))
        self._captured += 1
        self.period_seconds = seen.period_seconds
        self.closed = self.is_captured = True
        return Close(traced, "steps", tuple(findings), numbers.count or None, numbers)

    def _left_out(self, window: Window) -> Iterator[Finding]:
        numbers, options = window.numbers, self.options
        if numbers.count < numbers.asked:
            yield warning(
                "steps-left-out",
                first=numbers.first,
                captured=numbers.count,
                asked=numbers.asked,
                left_out=numbers.asked - numbers.count,
                window_s=window.traced.seconds,
            )
        if numbers.is_of_several:
            yield warning("steps-of-several-functions", name=numbers.name or "")
        first = options.from_step if options.every is None else None
        if first is not None and numbers.first != first:
            yield warning("step-passed", step=first, first=numbers.first)

    @staticmethod
    def _unlike(numbers: StepNumbers, seen: Observation) -> Iterator[Finding]:
        """Where the window's steps are not what the job has counted."""
        counted = (numbers.name or "").replace("<", "_").replace(">", "_").strip("_")
        if abs(seen.found - numbers.count) <= max(1, MOST_APART_RATIO * numbers.count):
            # Of several programs that run in every step another may stand for it.
            return
        if (
            counted
            and seen.name
            and not counted.startswith("compiled ")
            and not seen.name.rstrip("_").endswith(counted)
        ):
            yield warning("window-of-other-steps", name=seen.name, before=counted)

    def _steps_window(self, skip: int) -> Action:  # type: ignore[override]  # noqa: ARG002 (the job counts itself)
        return CountSteps(self._repeating)


def _first_asked(options: WindowOptions) -> int | None:
    return options.from_step if options.from_step is not None else options.every
