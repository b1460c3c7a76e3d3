"""Compiled programs stored in a profile: parsed on demand, without keeping their bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from scopelight.formats.hlo import hlo_pb2
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.nouns import HloModule

if TYPE_CHECKING:
    from scopelight.program.memory.buffers import ModuleBuffers, Schedule


@attrs.frozen(eq=False, repr=False)
class LoadedProgram:
    """A program with its buffers and schedule. ``buffers`` is None where the file has no buffer assignment."""

    module: HloModule
    buffers: ModuleBuffers | None
    schedule: Schedule


@attrs.frozen(eq=False, repr=False)
class StoredProgram:
    """A program that is not yet read. ``where`` is its file and its place in it, for error messages."""

    name: str
    program_id: str
    """As executions name it; empty where the source has none."""
    where: str
    parse: Callable[[], hlo_pb2.HloProto] = attrs.field(repr=False)

    def module(self) -> HloModule:
        """Its instructions. Raises ``FormatError`` where they cannot be read."""
        return build_module(self.parse(), self.program_id, self.where)

    def buffers(self) -> ModuleBuffers | None:
        """Its buffers without its instructions: enough to know its peak. Raises ``FormatError`` as `load` does."""
        from scopelight.program.memory.builder import build_buffers  # noqa: PLC0415 (few views ask for memory)

        return build_buffers(self.parse(), self.where)

    def load(self, module: HloModule | None = None) -> LoadedProgram:
        """Its instructions, unless they are given as ``module``, buffers and schedule.

        Raises ``FormatError`` where they cannot be read.
        """
        from scopelight.program.memory.builder import build_buffers, build_schedule  # noqa: PLC0415

        proto = self.parse()
        return LoadedProgram(
            module=module or build_module(proto, self.program_id, self.where),
            buffers=build_buffers(proto, self.where),
            schedule=build_schedule(proto),
        )
