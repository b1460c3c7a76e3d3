# Generated from the table of views by daemon/scripts/generate_stub.py: do not edit.
import os
from typing import Literal

from scopelight.analysis.advice.records import AdviceRecord
from scopelight.analysis.compatibility.records import CompatibilityRecord
from scopelight.analysis.counters.records import CountersRecord
from scopelight.analysis.flame.records import FlameRecord
from scopelight.analysis.graph.records import Graph
from scopelight.analysis.host.input.records import InputRecord
from scopelight.analysis.host.resources.records import ResourcesRecord
from scopelight.analysis.host.threads.records import HostThreadsRecord
from scopelight.analysis.hosts.records import ClocksRecord
from scopelight.analysis.hosts.records import HostsRecord
from scopelight.analysis.hosts.records import LinksRecord
from scopelight.analysis.memory.fit.records import FitRecord
from scopelight.analysis.memory.plan.records import MemoryLinesRecord
from scopelight.analysis.memory.plan.records import MemoryViewerRecord
from scopelight.analysis.memory.profile.records import MemoryProfileRecord
from scopelight.analysis.ops.records import FlopsRecord
from scopelight.analysis.ops.records import OpProfileRecord
from scopelight.analysis.ops.records import OpsRecord
from scopelight.analysis.ops.records import RooflineRecord
from scopelight.analysis.overview.records import OverviewRecord
from scopelight.analysis.padding.records import PaddingRecord
from scopelight.analysis.programs.records import ProgramsRecord
from scopelight.analysis.programs.records import ShapesRecord
from scopelight.analysis.records import LinesRecord
from scopelight.analysis.step_trace.records import StepTraceRecord
from scopelight.analysis.timeline.windows.listed import TimelineListing
from scopelight.analysis.compare.records import ComparedBy
from scopelight.analysis.compare.records import ComparisonRecord
from scopelight.analysis.options import OptionError as OptionError
from scopelight.api import ExecutionColumns
from scopelight.api import ProfileError as ProfileError
from scopelight_agent import Callback as Callback
from scopelight_agent import CaptureError as CaptureError
from scopelight_agent import capture as capture
from scopelight_agent import data as data
from scopelight_agent import epoch as epoch
from scopelight_agent import start as start
from scopelight_agent import step as step
from scopelight_agent import steps as steps
from scopelight_agent import stop as stop

__version__: str

class Run:
    @property
    def executions(self) -> ExecutionColumns: ...
    def compare(self, other: Run | str | os.PathLike[str], *, by: ComparedBy = "line") -> ComparisonRecord: ...
    def overview(self, *, device: str | None = None) -> OverviewRecord: ...
    def lines(self, *, scope: Literal["steps", "window", "outside"] | None = None) -> LinesRecord: ...
    def steps(
        self, *, device: str | None = None, forward_start: str | None = None, backward_end: str | None = None
    ) -> StepTraceRecord: ...
    def programs(self) -> ProgramsRecord: ...
    def shapes(self) -> ShapesRecord: ...
    def advice(self) -> AdviceRecord: ...
    def ops(
        self,
        *,
        device: str | None = None,
        target: str | None = None,
        scope: Literal["steps", "window", "outside"] | None = None,
    ) -> OpsRecord: ...
    def op_profile(
        self,
        *,
        by: Literal["category", "program", "scope", "line"] = "category",
        device: str | None = None,
        scope: Literal["steps", "window", "outside"] | None = None,
    ) -> OpProfileRecord: ...
    def flops(
        self,
        *,
        device: str | None = None,
        target: str | None = None,
        scope: Literal["steps", "window", "outside"] | None = None,
    ) -> FlopsRecord: ...
    def graph(
        self,
        *,
        program: str | None = None,
        level: Literal["lines", "scopes", "ops"] | None = None,
        op: str | None = None,
        radius: int = 2,
        open: tuple[str, ...] = (),
        hubs: bool = False,
        to: str | None = None,
        search: str | None = None,
        memory: bool = False,
        device: str | None = None,
        scope: Literal["steps", "window", "outside"] | None = None,
    ) -> Graph: ...
    def flame(
        self,
        *,
        measure: Literal["op-time", "wall-time", "flops", "memory"] = "op-time",
        libraries: bool = False,
        device: str | None = None,
        scope: Literal["steps", "window", "outside"] | None = None,
    ) -> FlameRecord: ...
    def roofline(
        self, *, device: str | None = None, scope: Literal["steps", "window", "outside"] | None = None
    ) -> RooflineRecord: ...
    def padding(
        self, *, target: str | None = None, scope: Literal["steps", "window", "outside"] | None = None
    ) -> PaddingRecord: ...
    def compatibility(self) -> CompatibilityRecord: ...
    def timeline(
        self, *, start_ps: int | None = None, end_ps: int | None = None, width_px: int | None = None
    ) -> TimelineListing: ...
    def memory_viewer(self, *, program: str | None = None, memory_space: int | None = None) -> MemoryViewerRecord: ...
    def memory_lines(self, *, program: str | None = None, memory_space: int | None = None) -> MemoryLinesRecord: ...
    def fit(self, *, program: str | None = None) -> FitRecord: ...
    def memory_profile(self) -> MemoryProfileRecord: ...
    def input(self) -> InputRecord: ...
    def host(self) -> HostThreadsRecord: ...
    def counters(self, *, device: str | None = None) -> CountersRecord: ...
    def hosts(self, *, engine: str | None = None) -> HostsRecord: ...
    def links(self, *, engine: str | None = None) -> LinksRecord: ...
    def clocks(self, *, engine: str | None = None) -> ClocksRecord: ...
    def resources(self) -> ResourcesRecord: ...

def open(path: str | os.PathLike[str], *, roots: tuple[str | os.PathLike[str], ...] = ()) -> Run: ...
