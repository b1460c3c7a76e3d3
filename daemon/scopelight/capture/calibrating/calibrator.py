"""Measure once what a machine can do at most whose CPU was the device, in a process of the user's interpreter."""

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from scopelight.capture.calibrating.hardware import core_count, machine_name, memory_bytes, processor_quota
from scopelight.capture.calibrating.machine import busy_seconds, others_ratio
from scopelight.findings import Finding, warning
from scopelight.formats.lenient import from_json, read_object
from scopelight.model.run.calibration import ESSENTIAL, QUIET_RATIO, Calibration

MEASURING = Path(__file__).with_name("machine.py")
MOST_SECONDS = (5.0, 10.0, 15.0)
"""The process is ended after so long; what it has measured until then counts. Where the machine is so busy that what is
asked for most was not measured by then, another one has longer for what is lacking."""
AGAIN_SECONDS = 3600.0
"""After a poor measurement the next one is made no sooner, but where the machine is quiet that was busy then."""
WATCHED_SECONDS = 0.3
"""How long it is watched for that."""
MEASURING_RATIO = 0.86
"""For how much of that it may measure: it must start and end as well."""
_SCHEME = "2"
"""Counts what is measured: what is kept of fewer things is not looked at."""


_MOST_CHARACTERS = 300
"""Of what a process says is wrong."""


@attrs.frozen(slots=True)
class _Asked:
    """What one process measured, and what was wrong: that it ended too late, or what ended it."""

    measured: Calibration | None
    problem: str
    lacked_time: bool = False


def others_ratio_now() -> float | None:
    """Share of the machine's processors that other processes take, watched for `WATCHED_SECONDS`; None if unknown."""
    before, began = busy_seconds(), time.monotonic()
    time.sleep(WATCHED_SECONDS)
    return others_ratio(before, began)


@attrs.frozen
class Calibrator:
    """Knows or measures the rates of this machine, with the interpreter, folder and environment of the script.

    What was measured is kept in the user's cache folder for each machine, version of jax and XLA_FLAGS. ``say`` is told
    before a measurement begins; ``others_ratio`` tells how busy others keep the machine now.
    """

    python: str
    cwd: Path
    environment: Mapping[str, str]
    say: Callable[[str], None] = lambda _: None
    others_ratio: Callable[[], float | None] = others_ratio_now

    def known(self, jax: str) -> Calibration | None:
        """What is kept of this machine for a version of jax; None where nothing usable is."""
        try:
            kept = read_object(self._file(jax).read_bytes())
        except OSError:
            return None
        return None if kept is None else from_json(kept.get("calibration"), Calibration)

    def is_due(self, jax: str) -> bool:
        """Whether this machine should be measured.

        It is not known or not all of it, or only by a poor measurement: of long ago, or of a time when it was busier
        than now.
        """
        known = self.known(jax)
        if known is None or known.lacking:
            return True
        if known.is_good:
            return False
        try:
            if time.time() - self._file(jax).stat().st_mtime > AGAIN_SECONDS:
                return True
        except OSError:
            return True
        others_ratio = self.others_ratio() if known.is_disturbed else None
        return others_ratio is not None and others_ratio <= QUIET_RATIO

    def measure(self, jax: str) -> tuple[Calibration | None, Finding | None]:
        """Measure now and keep the result; where something could not be measured, a finding that says why.

        It is repeated until both the rate of products and the bandwidth are known, or it has had its time. Of a machine
        that was measured before, each rate keeps its best. An interrupt (Ctrl-C) skips what has not been measured yet.
        """
        self.say(
            f"measuring what this machine can do at most ({MOST_SECONDS[0]:.0f} s or less, {sum(MOST_SECONDS):.0f} s"
            " where others keep it busy, once for each version of jax; Ctrl-C skips it)"
        )
        best, problem = self.known(jax), ""
        # What was measured before is measured again, what was measured just now is not.
        known: tuple[str, ...] = ()
        for seconds in MOST_SECONDS:
            asked = self._ask(jax, seconds, known)
            if asked.measured is not None:
                best = asked.measured if best is None else _best(best, asked.measured)
                known = tuple(each for each in ESSENTIAL if each in known or each not in asked.measured.lacking)
                self._keep(jax, best)
            problem = asked.problem
            if (best is not None and not best.lacking) or not asked.lacked_time:
                break
        if best is None:
            return None, warning("machine-not-measured", problem=problem)
        if best.lacking:
            return best, warning("machine-measured-in-part", lacking=best.lacking, problem=problem)
        return best, None

    def _ask(self, jax: str, seconds: float, known: Sequence[str]) -> "_Asked":
        memory, available = memory_bytes()
        measuring = [self.python, str(MEASURING), str(seconds * MEASURING_RATIO), str(core_count()), str(available)]
        command = [*measuring, *known]
        try:
            process = subprocess.Popen(
                command,
                cwd=self.cwd,
                env=_environment(self.environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            return _Asked(None, f"{self.python} cannot be started ({error.strerror or error})")
        output, errors, lacked_time = b"", b"", False
        try:
            output, errors = process.communicate(timeout=seconds)
            problem = _last_line(errors) or f"its process ended with code {process.returncode}"
            if process.returncode == -signal.SIGINT:
                # From the terminal an interrupt reaches the process by itself.
                problem = "it was interrupted"
        except subprocess.TimeoutExpired:
            problem, lacked_time = f"it took longer than {seconds:.0f} s", True
        except KeyboardInterrupt:
            problem = "it was interrupted"
        finally:
            if process.poll() is None:
                process.kill()
                with contextlib.suppress(KeyboardInterrupt):
                    output, errors = process.communicate()
        found = _gathered(output)
        found |= {"memory_bytes": memory, "cores": core_count(), "machine": machine_name()}
        if isinstance(found.get("problem"), str) and not lacked_time:
            problem = found["problem"][:_MOST_CHARACTERS]
        return _Asked(from_json({"jax": jax, **found}, Calibration), problem, lacked_time)

    def _keep(self, jax: str, calibration: Calibration) -> None:
        """Write the cache; that it cannot be written only means measuring again."""
        file = self._file(jax)
        content = {"measured": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "calibration": attrs.asdict(calibration)}
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            partial = file.with_suffix(f".{os.getpid()}")
            partial.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
            partial.replace(file)

    def _file(self, jax: str) -> Path:
        flags = self.environment.get("XLA_FLAGS", "")
        key = "\n".join((_SCHEME, machine_name(), str(core_count()), str(processor_quota()), jax, flags))
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        return cache_folder(self.environment) / f"calibration-{digest}.json"


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Where this program keeps what can be had again: the folder ``scopelight`` in the user's cache folder."""
    named = environment.get("XDG_CACHE_HOME", "")
    if Path(named).is_absolute():
        return Path(named) / "scopelight"
    home = Path(environment.get("HOME") or Path.home())
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "scopelight"


def _environment(environment: Mapping[str, str]) -> dict[str, str]:
    """That of the script, without what would leave files behind or keep programs from being compiled."""
    flags = [each for each in environment.get("XLA_FLAGS", "").split() if not each.startswith("--xla_dump")]
    return {
        **environment,
        "XLA_FLAGS": " ".join(flags),
        "JAX_ENABLE_COMPILATION_CACHE": "false",
        "JAX_DISABLE_JIT": "false",
    }


def _gathered(output: bytes) -> dict[str, Any]:
    """What the process said, put together; a line that was cut off, or is the user's own, is left out."""
    gathered: dict[str, Any] = {}
    rates: dict[str, Any] = {}
    for line in output.splitlines():
        said = read_object(line)
        if said is not None:
            more = said.pop("flops_per_s", {})
            rates |= more if isinstance(more, dict) else {}
            # What went wrong first is what the rest follows from.
            gathered = said | gathered
    return {**gathered, "flops_per_s": rates}


def _last_line(errors: bytes) -> str:
    return (errors.decode(errors="replace").strip().splitlines() or [""])[-1][:_MOST_CHARACTERS]


def _best(before: Calibration, now: Calibration) -> Calibration:
    """The best of two measurements of one machine, as disturbed as the less disturbed of them."""
    rates = {**before.flops_per_s}
    for name, rate in now.flops_per_s.items():
        rates[name] = max(rate, rates.get(name, 0.0))
    copies = [each.bytes_per_s for each in (before, now) if each.bytes_per_s is not None]
    disturbed = [each.others_ratio for each in (before, now) if each.others_ratio is not None]
    cached = [each.cache_bytes_per_s for each in (before, now) if each.cache_bytes_per_s is not None]
    return attrs.evolve(
        now,
        flops_per_s=rates,
        bytes_per_s=max(copies, default=None),
        cache_bytes_per_s=max(cached, default=None),
        others_ratio=min(disturbed, default=None),
    )
