"""The programs of a script as they were caught, and how often each was called, in order."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from scopelight.capture.tpu_compiler.task import CompileTask
from scopelight.model.run.prediction import Called, HostCall, PlaceOfCall, PredictedOutcome


@attrs.frozen
class CaughtProgram:
    """``task`` is what the compiler is asked; None where it cannot be, as ``outcome`` and ``message`` say."""

    number: int
    name: str
    partitions: int
    task: CompileTask | None
    outcome: PredictedOutcome = "not-lowered"
    message: str = ""
    host_calls: tuple[HostCall, ...] = ()

    @property
    def bytes(self) -> int:
        """The size of its module, which says how long it takes to compile."""
        try:
            return 0 if self.task is None else self.task.module.stat().st_size
        except OSError:
            return 0


def caught(message: Mapping[str, Any]) -> CaughtProgram:
    """The program that the agent tells of."""
    number, partitions = int(message["program"]), int(message["partitions"])
    task = None
    if message["event"] == "program":
        task = CompileTask(
            number,
            str(message["name"]),
            Path(message["file"]),
            partitions,
            tuple(map(bool, message["propagates_to_parameters"])),
            tuple(map(bool, message["propagates_to_results"])),
            bool(message["uses_shardy"]),
            {str(name): str(value) for name, value in message["options"].items()},
        )
    return CaughtProgram(
        number,
        str(message["name"]),
        partitions,
        task,
        "crashed" if message["event"] == "unwritten" else "not-lowered",
        str(message.get("message", "")),
        tuple(_host_call(each) for each in message["callbacks"]),
    )


def _host_call(told: Mapping[str, Any]) -> HostCall:
    frames = (PlaceOfCall(str(path), int(line), str(function)) for path, line, function in told["stack"])
    return HostCall(str(told["primitive"]), tuple(frames))


@attrs.define
class Calls:
    """In order, those in a row together."""

    in_order: list[Called] = attrs.field(factory=list)

    def add(self, programs: Sequence[int]) -> None:
        """Programs were called."""
        for each in programs:
            if self.in_order and self.in_order[-1].program == each:
                self.in_order[-1] = Called(each, self.in_order[-1].times + 1)
            else:
                self.in_order.append(Called(each))
