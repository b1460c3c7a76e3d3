"""The device's side of the input: what each step had of idle time and of waiting for input."""

import math
from collections.abc import Mapping

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import span_at
from scopelight.analysis.host.input.records import InputDevice, InputQuantity, InputSpread, InputStep
from scopelight.analysis.host.input.verdict import SteadySteps
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.formats.columns import Int64
from scopelight.model.host.states import HostState
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans, merge_spans


@attrs.frozen(eq=False, repr=False)
class DeviceSide:
    """By device and step: idle time, and that of it which waited for input, None where that is not known."""

    idle_ps: Int64
    input_ps: Int64 | None


def device_side(steady: SteadySteps, *, is_known: bool) -> DeviceSide:
    """The idle time of the pieces by device and step; whether it ``is_known`` what of it waited for input."""
    pieces, rows = steady.pieces, steady.rows
    place = np.searchsorted(steady.devices, pieces.device[rows])
    sums = np.zeros((2, len(steady.devices), len(steady.is_steady)), dtype=np.int64)
    np.add.at(sums[0], (place, pieces.step[rows]), pieces.duration_ps[rows])
    of_input = steady.is_input
    np.add.at(sums[1], (place[of_input], pieces.step[rows[of_input]]), pieces.duration_ps[rows[of_input]])
    return DeviceSide(sums[0], sums[1] if is_known else None)


def spreads(steady: SteadySteps, steps: Steps, side: DeviceSide) -> tuple[InputSpread, ...]:
    """How steps, idle time and waiting for input are spread over the steady steps and over devices."""
    kept = steady.is_steady
    columns: Mapping[InputQuantity, Int64 | None] = {
        "step": np.tile(steps.duration_ps, (len(steady.devices), 1)),
        "idle": side.idle_ps,
        "input": side.input_ps,
    }
    found = []
    for quantity, by_device in columns.items():
        if by_device is None:
            continue
        by_step = by_device[:, kept].mean(axis=0)
        of_devices = by_device[:, kept].mean(axis=1)
        sigma_ps = math.sqrt(float(by_step.var()))
        numbers = (by_step.mean(), sigma_ps, by_step.min(), by_step.max(), of_devices.min(), of_devices.max())
        found.append(InputSpread(quantity, *(round(float(each)) for each in numbers)))
    return tuple(found)


def devices(
    profile: Profile, steady: SteadySteps, side: DeviceSide, names: Mapping[int, str]
) -> tuple[InputDevice, ...]:
    """The means of each device per steady step."""
    kept = steady.is_steady
    return tuple(
        InputDevice(
            names.get(device, profile.executions.devices[device].name),
            round(float(side.idle_ps[row, kept].mean())),
            None if side.input_ps is None else round(float(side.input_ps[row, kept].mean())),
        )
        for row, device in enumerate(steady.devices.tolist())
    )


def step_records(profile: Profile, steady: SteadySteps, steps: Steps, side: DeviceSide) -> tuple[InputStep, ...]:
    """Every complete step."""
    launches, met_idle = _launches(profile, steady, steps)
    return tuple(
        InputStep(
            start_ps=int(steps.start_ps[step]),
            duration_ps=int(steps.duration_ps[step]),
            idle_ps=round(float(side.idle_ps[:, step].mean())),
            input_ps=None if side.input_ps is None else round(float(side.input_ps[:, step].mean())),
            least_input_ps=None if side.input_ps is None else int(side.input_ps[:, step].min()),
            greatest_input_ps=None if side.input_ps is None else int(side.input_ps[:, step].max()),
            is_steady=bool(steady.is_steady[step]),
            launches=int(launches[step]),
            idle_launches=int(met_idle[step]),
        )
        for step in range(len(steps))
    )


def _launches(profile: Profile, steady: SteadySteps, steps: Steps) -> tuple[Int64, Int64]:
    """By step how often the host launched, and how often a device of its own was idle then."""
    launches, met_idle = np.zeros((2, len(steps)), dtype=np.int64)
    pieces, rows = steady.pieces, steady.rows
    for host in {each.host for each in profile.host_states}:
        launching = [each.of(HostState.DISPATCH) for each in profile.host_states if each.host == host]
        # Of calls inside one another the outermost is the launch; runtime's threads repeat what the script's called.
        begun = merge_spans(*(np.concatenate(each) for each in zip(*launching, strict=True))).start_ps
        step = step_of(begun, steps)
        inside = step >= 0
        begun, step = begun[inside], step[inside]
        is_idle = np.zeros(len(begun), dtype=np.bool_)
        for device in steady.devices.tolist():
            if profile.executions.devices[device].host != host:
                continue
            own = rows[pieces.device[rows] == device]
            is_idle |= span_at(Spans(pieces.start_ps[own], pieces.duration_ps[own]), begun) >= 0
        np.add.at(launches, step, 1)
        np.add.at(met_idle, step[is_idle], 1)
    return launches, met_idle
