"""Which part of the script's life is captured: pure decisions from what was seen and when.

The first trace begins with the backend, so that a script that ends early is captured whole. It and every later probe
end when compilation has settled and the probe is long enough; the next one begins at once, while the launcher looks for
the repeating program run in the last, joined with those before it. What was looked at since the last compile doubles
until three periods were seen; then K periods are skipped, in which the probe goes on where it is not for long, and N
captured. What repeated before a program was compiled may be the preparation of the steps: its period counts only where
it goes on afterwards. Whoever asks for the window by hand gets it at once.
"""

import math
from collections.abc import Iterator, Sequence

import attrs

from scopelight.capture.actions import Action, Close, Observe, Stop, Trace
from scopelight.capture.limits import larger_than_asked, most_seconds
from scopelight.capture.observed import LEAST_PERIODS, Candidate, Observation, Traced
from scopelight.findings import Finding, note, warning
from scopelight.model.run.information import WindowKind, WindowOptions

QUIET_SECONDS = 0.5
"""Compilation has settled when nothing was compiled for so long."""
NO_COMPILE_SECONDS = 5.0
"""After so long without any compile the script runs programs that were compiled elsewhere."""
PENDING_SECONDS = 60.0
"""A program handed to the compiler counts as being compiled for so long at most."""
UNSETTLED_SECONDS = 20.0
"""A script that has run so long besides compiling, and still compiles, is taken as one that never settles."""
LEAD_SECONDS = 3.0
"""So long a probe goes on at least while steps are skipped: a script that ends meanwhile is whole."""
LONGEST_PROBE_SECONDS = 64.0
MOST_PROBE_BYTES = 128 << 20
"""A probe of this size without a repetition would show none when longer."""
MOST_JOINED_BYTES = 16 << 20
"""Probes are looked at together up to this size."""
BY_HAND_SECONDS = 2.0
"""How long a window is that was asked for before steps were found."""
MOST_BY_HAND_SECONDS = 10.0
"""A window of steps that would be longer is no answer at once."""
LEAST_WINDOW_SECONDS = 0.02
OTHER_PERIOD_RATIO = 1.5
"""Steps of another name that come this much more or less often are not those that repeated before: an evaluation's."""
MARGIN_RATIO = 1.1
"""Steps vary; a window of N + 1 periods and this margin holds N complete steps."""
WINDOW_BURSTS = 4
"""Steps that come in bursts are captured for at least so many of them, as long as what is written stays as small as a
probe's."""
MOST_WINDOWS = 3
"""A window in which something was compiled, or that held too few steps, is taken again so often at most."""


class WindowPlan:
    """Told what happens (times from one monotonic clock, in seconds), it answers with the next action or None."""

    def __init__(self, options: WindowOptions, *, is_asked_for: bool = False) -> None:
        """Where it ``is_asked_for`` no window comes by itself."""
        self.options = options
        self._is_asked_for = is_asked_for
        self.period_seconds: float | None = None
        self._repeating = ""
        """The name of the steps whose period that is."""
        self.candidates: list[Candidate] = []
        self.closed = is_asked_for
        self._probing = False
        self._stopping = False
        self.leads_on = False
        """Whether the probe that runs ends where the window begins."""
        self._observed: Candidate | None = None
        """The trace that is being looked at, while another may already run."""
        self._after_stop: Action | None = None
        """What to do once the probe that goes on has been stopped."""
        self._probe_seconds = 0.0
        self._probe_began = 0.0
        self._backend_at: float | None = None
        self._compiled_at: float | None = None
        self._pending_since: float | None = None
        self._compile_seconds = 0.0
        self._never_settles = False
        self._is_window_spoilt = False
        """Whether a program was compiled since the window was asked for: it is given up for another probe."""
        self._has_waited = False
        """Whether nothing was traced for a while between two traces."""
        self._bursts_seconds = 0.0
        """How long a window of steps that come in bursts is at least."""
        self._window_scale = 1.0
        self._windows = 0
        self._is_limited = False
        """Whether the window is shorter than was asked for."""
        self._looked_seconds = 0.0
        """How long probes have been since the last compile, of those that were looked at."""
        self._is_foreseen = False
        """Whether the probe that runs is as long as the steps need that lack, not twice as long as before."""
        self._joined: list[Traced] = []
        """The probes that follow on each other up to now."""
        self.is_captured = False
        """Whether a window was."""
        self.is_by_hand = False
        """Whether the window was asked for before it came by itself."""

    def at_launch(self) -> Action | None:
        """What the job is to do before its backend is there: nothing."""
        return None

    def backend(self, now: float) -> None:
        """The backend is there, and the first trace runs with it."""
        self._backend_at = self._probe_began = now
        self._probing = not self._is_asked_for

    def lowered(self, now: float) -> None:
        """A program went to the compiler."""
        self._pending_since = now

    def compiled(self, now: float, seconds: float) -> None:
        """A program came back from the compiler."""
        self._pending_since = None
        self._compiled_at = now
        self._compile_seconds += seconds
        self._probe_seconds = self._looked_seconds = 0.0
        is_window = (not self._probing or self.leads_on) and self._observed is None and not self.closed
        if is_window and self.options.seconds is None and 0 < self._windows < MOST_WINDOWS and not self.is_by_hand:
            self._is_window_spoilt = True

    def wake_after(self, now: float) -> float | None:
        """Seconds until `tick` may have something to say; None while there is nothing to wait for."""
        due = self._stop_at()
        return None if due is None else max(0.01, due - now)

    def tick(self, now: float) -> Action | None:
        """Time has passed."""
        if self._is_window_spoilt and (not self._probing or self.leads_on):
            self._probing, self._compile_seconds, self.leads_on = True, 0.0, False
        else:
            due = self._stop_at()
            if due is None or now < due:
                return None
            self._never_settles = self._never_settles or due < self._settled_at()
        self._stopping = True
        self._probe_began = now
        return Stop(goes_on=self.options.seconds is None)

    @property
    def is_waiting(self) -> bool:
        """Whether a window can be asked for by hand: none is planned yet, and there is something to trace."""
        return (
            self._backend_at is not None
            and self._probing
            and not (
                self.closed or self.options.whole or self.leads_on or self.is_by_hand or self._after_stop is not None
            )
        )

    def capture_now(self, now: float) -> Action | None:
        """The window is asked for by hand: what is traced already is looked at, and the window follows."""
        if not self.is_waiting:
            return None
        self.is_by_hand = True
        if self._stopping or self._observed is not None:
            return None
        self._stopping = True
        self._probe_began = now
        return Stop(goes_on=self.options.seconds is None)

    @property
    def steps_of(self) -> str | None:
        """The program or annotation whose runs are the steps; None while that is not known."""
        return self._repeating or None

    @property
    def can_capture_again(self) -> bool:
        """Whether no window is being captured, and one can be asked for."""
        return self.closed and (self.is_captured or (self._is_asked_for and self._backend_at is not None))

    def capture_again(self) -> Action:
        """Another window is asked for by hand, after one was captured."""
        self.closed = self._probing = False
        self.is_by_hand, self.candidates = True, []
        return self._window_by_hand()

    def traced(self, traced: Traced) -> Action | None:
        """A trace has ended."""
        is_spoilt = self._is_window_spoilt
        is_window = is_spoilt or not self._probing
        self._stopping = self._is_window_spoilt = False
        earlier, self._joined = self._joined, []
        candidate = Candidate(traced, is_window)
        self.candidates.append(candidate)
        if self.leads_on:
            self._probing = self.leads_on = False
            return None
        if self._after_stop is not None:
            return self.stopped()
        if self.closed or is_spoilt:
            return None
        if self.options.seconds is not None:
            return self._after_trace_of_time(traced, self.options.seconds, is_window=is_window)
        self._observed = candidate
        if is_window:
            return Observe(traced)
        self._joined = _joinable(earlier, traced)
        return Observe(traced, tuple(self._joined[:-1]))

    def _after_trace_of_time(self, traced: Traced, seconds: float, *, is_window: bool) -> Action:
        self._probing = False
        if is_window:
            return self._close(traced, "seconds", *self._limited(traced, seconds))
        self._has_waited = True
        return self._window(seconds, after_seconds=0.0)

    def stopped(self) -> Action | None:
        """No trace is running any more: do what was to follow."""
        action, self._after_stop = self._after_stop, None
        self._has_waited = self._has_waited or self._is_window_spoilt or action is not None
        self._stopping = self._is_window_spoilt = False
        if action is not None:
            self._probing = False
        return action

    def observed(self, observation: Observation) -> Action | None:
        """The last trace has been looked at."""
        candidate, self._observed = self._observed, None
        if candidate is None:
            return None
        candidate.observation = observation
        if self.closed:
            return None
        if candidate.is_window:
            return self._after_window(candidate, observation)
        action = self._after_probe(candidate, observation)
        if action is None or not self._probing:
            return action
        self._stopping = True
        if isinstance(action, Trace) and action.after_seconds <= max(self._probe_seconds, LEAD_SECONDS):
            self.leads_on = True
            return action
        self._after_stop, self._stopping = action, True
        return Stop(goes_on=False)

    def probe_again(self, now: float) -> Action:
        """Begin a probe that ends when compilation has settled, after the script has traced itself."""
        self.closed, self._has_waited, self._joined = False, True, []
        self._probing, self._probe_began, self._compile_seconds = True, now, 0.0
        return Trace(0.0, None, is_window=False)

    def close(self) -> None:
        """Ask for nothing any more."""
        self.closed = True
        self._probing = self.leads_on = False
        self._after_stop = None

    @property
    def most_seconds(self) -> float | None:
        """How long a window may be at most."""
        return most_seconds(self.options, [each.traced for each in self.candidates])

    @property
    def is_unbroken(self) -> bool:
        """Whether the traces follow on each other."""
        return bool(self.candidates) and not self._has_waited

    def best(self) -> Candidate | None:
        """The trace to keep when the script ended before the window closed: the one with most complete steps."""
        return max(
            self.candidates,
            key=lambda each: (each.observation.periods, each.observation.executions) if each.observation else (-1, 0),
            default=None,
        )

    def _stop_at(self) -> float | None:
        """When the running probe is to be stopped, if nothing else happens."""
        if not self._probing or self._stopping or self._observed or self._backend_at is None:
            return None
        settled_at = self._settled_at()
        if self._pending_since is not None or self._compiled_at is None:
            return settled_at
        patience = max(self._probe_seconds, UNSETTLED_SECONDS) + self._compile_seconds
        return min(settled_at, self._probe_began + patience)

    def _settled_at(self) -> float:
        """When the running probe is long enough and nothing was compiled for a while."""
        lasting = max(self._probe_seconds, QUIET_SECONDS)
        if self._never_settles:
            return self._probe_began + lasting
        at = max(self._probe_began, self._compiled_at or 0.0) + lasting
        if self._compiled_at is None:
            at = max(at, (self._backend_at or 0.0) + NO_COMPILE_SECONDS)
        if self._pending_since is not None:
            at = max(at, self._pending_since + PENDING_SECONDS)
        return at

    def _goes_on(self, seen: Observation) -> bool:
        """Whether what was seen is not over: it went on after the last compile, of whatever program."""
        if self._never_settles:
            return True
        times = [each for each in (self._pending_since, self._compiled_at) if each is not None]
        if any(each > self._probe_began for each in times):
            return False
        return seen.goes_on

    def _after_probe(self, candidate: Candidate, seen: Observation) -> Action | None:
        if self._goes_on(seen) and seen.period_seconds is not None and seen.found >= LEAST_PERIODS:
            self.period_seconds, self._repeating = seen.period_seconds, seen.name
            self._see_bursts(candidate, seen)
            if not self.is_by_hand:
                return self._steps_window(self.options.skip)
        if self.is_by_hand:
            return self._after_probe_by_hand(candidate, seen)
        if self._compiled_at is not None and self._compiled_at > self._probe_began:
            return None
        lasted = max(self._probe_seconds, QUIET_SECONDS)
        if seen.executions and (lasted >= LONGEST_PROBE_SECONDS or candidate.traced.bytes >= MOST_PROBE_BYTES):
            seconds, steps = candidate.traced.seconds, self.options.steps
            warnings = [warning("window-by-time", window_s=seconds, steps=steps)]
            if seen.why_none is not None:
                warnings.append(seen.why_none)
            return self._close(candidate.traced, "time", *warnings)
        self._probe_longer(lasted, seen)
        return None

    def _probe_longer(self, lasted: float, seen: Observation) -> None:
        """Have the probe that runs be as long as all that were looked at, or as the steps need that lack."""
        self._looked_seconds += lasted
        self._probe_seconds = min(self._looked_seconds, LONGEST_PROBE_SECONDS)
        lacking_seconds = (LEAST_PERIODS - seen.found + 0.5) * (seen.period_seconds or math.inf)
        self._is_foreseen = not self._is_foreseen and QUIET_SECONDS < lacking_seconds < self._probe_seconds
        if self._is_foreseen:
            self._probe_seconds = lacking_seconds
        self._compile_seconds = 0.0

    def _after_probe_by_hand(self, candidate: Candidate, seen: Observation) -> Action:
        """What the probe holds is the answer where that is enough, else what comes now."""
        if self.period_seconds is not None and seen.periods >= self.options.steps and not candidate.traced.compiles:
            return self._close(candidate.traced, "steps", steps=self._counted(seen))
        return self._window_by_hand()

    def _window_by_hand(self) -> Trace:
        """One that begins at once, and does not last long where nobody said for how long."""
        if self.options.seconds is not None:
            return self._window(self.options.seconds, after_seconds=0.0)
        if self.period_seconds is None:
            return self._window(BY_HAND_SECONDS, after_seconds=0.0)
        # Counted once, whichever of the two it becomes.
        window = self._steps_window(skip=0)
        if window.seconds is not None and window.seconds <= MOST_BY_HAND_SECONDS:
            return window
        return attrs.evolve(window, seconds=BY_HAND_SECONDS)

    def _after_window_by_hand(self, candidate: Candidate, seen: Observation) -> Action:
        """Whatever it holds is the answer, or a probe where nothing ran in it; where nothing ran at all it goes on."""
        if self.period_seconds is not None and seen.periods >= self.options.steps:
            return self._close(candidate.traced, "steps", steps=self._counted(seen))
        if not seen.executions:
            ran = [each for each in self.candidates if each.observation is not None and each.observation.executions]
            if not ran:
                return self._window(BY_HAND_SECONDS, after_seconds=0.0)
            candidate = ran[-1]
        traced = candidate.traced
        return self._close(traced, "time", warning("window-by-hand", window_s=traced.seconds, steps=self.options.steps))

    def _after_window(self, candidate: Candidate, seen: Observation) -> Action:
        if self.is_by_hand:
            return self._after_window_by_hand(candidate, seen)
        if self._is_limited:
            findings = list(self._limited_steps(candidate.traced, seen))
            return self._close(candidate.traced, "steps", *findings, steps=self.options.steps)
        are_others = self._are_other_steps(seen)
        enough = seen.periods >= self.options.steps and not are_others
        if (enough and candidate.traced.compiles == 0) or self._windows >= MOST_WINDOWS:
            findings, counted = [], self._counted(seen)
            if are_others:
                findings.append(warning("window-of-other-steps", name=seen.name, before=self._repeating))
            elif not enough:
                findings.append(warning("window-with-few-steps", complete=seen.periods, steps=self.options.steps))
            elif counted > self.options.steps:
                burst_ps = round((seen.burst_seconds or 0.0) * 1e12)
                findings.append(note("window-of-bursts", complete=counted, steps=self.options.steps, burst_ps=burst_ps))
            if candidate.traced.compiles:
                findings.append(warning("script-still-compiles", programs=candidate.traced.compiles))
            return self._close(candidate.traced, "steps", *findings, steps=counted)
        self._has_waited = True
        if not enough:
            self._widen(candidate, seen, are_others=are_others)
        return self._steps_window(skip=0)

    def _limited(self, traced: Traced, seconds: float) -> Iterator[Finding]:
        """What a limit left out of a window of time."""
        if self._is_limited:
            yield warning("seconds-left-out", window_s=traced.seconds, left_out_s=max(0.0, seconds - traced.seconds))
        yield from larger_than_asked(traced.bytes, self.options)

    def _limited_steps(self, traced: Traced, seen: Observation) -> Iterator[Finding]:
        """What a limit left out of a window of steps, and what it cut."""
        asked, complete = self.options.steps, min(seen.periods, self.options.steps)
        if complete < asked:
            left_out = asked - complete
            window_s = traced.seconds
            yield warning("limit-reached", complete=complete, asked=asked, left_out=left_out, window_s=window_s)
        if seen.cut is not None:
            yield note("steps-cut", **attrs.asdict(seen.cut))
        yield from larger_than_asked(traced.bytes, self.options)

    def _counted(self, seen: Observation) -> int:
        """How many steps count: those that were asked for, or those of several bursts where these have more."""
        if not self._bursts_seconds or seen.burst_steps is None:
            return self.options.steps
        return max(self.options.steps, min(seen.periods, math.ceil(WINDOW_BURSTS * seen.burst_steps)))

    def _widen(self, candidate: Candidate, seen: Observation, *, are_others: bool) -> None:
        """Have the next window hold more steps than this one."""
        # In it one came every so many seconds at most.
        passed = 0.0 if are_others else candidate.traced.seconds / (seen.periods + 1)
        if passed > (self.period_seconds or 0.0):
            self.period_seconds = passed
        else:
            self._window_scale *= 2
        if not are_others:
            self._see_bursts(candidate, seen)

    def _see_bursts(self, candidate: Candidate, seen: Observation) -> None:
        traced = candidate.traced
        most = traced.seconds * MOST_PROBE_BYTES / max(1, traced.bytes)
        self._bursts_seconds = max(self._bursts_seconds, min(WINDOW_BURSTS * (seen.burst_seconds or 0.0), most))

    def _are_other_steps(self, seen: Observation) -> bool:
        """Whether a window holds other steps than those that repeated before it, as a long evaluation has."""
        if seen.period_seconds is None or self.period_seconds is None or seen.name == self._repeating:
            return False
        shorter, longer = sorted((seen.period_seconds, self.period_seconds))
        return longer > OTHER_PERIOD_RATIO * shorter

    def _steps_window(self, skip: int) -> Trace:
        period = self.period_seconds or 0.0
        of_steps = period * (self.options.steps + 1) * self._window_scale
        seconds = max(of_steps, self._bursts_seconds) * MARGIN_RATIO
        return self._window(max(seconds, LEAST_WINDOW_SECONDS), after_seconds=skip * period)

    def _window(self, seconds: float, after_seconds: float) -> Trace:
        self._windows += 1
        limit = self.most_seconds
        self._is_limited = limit is not None and limit < seconds
        return Trace(after_seconds, limit if limit is not None and self._is_limited else seconds, is_window=True)

    def _close(self, traced: Traced, kind: WindowKind, *findings: Finding, steps: int | None = None) -> Close:
        self.closed = self.is_captured = True
        return Close(traced, kind, findings, steps)


def _joinable(earlier: Sequence[Traced], traced: Traced) -> list[Traced]:
    """A probe and those before it, as many as are looked at together."""
    joined, size = [traced], traced.bytes
    for each in reversed(earlier):
        size += each.bytes
        if size > MOST_JOINED_BYTES:
            break
        joined.insert(0, each)
    return joined
