"""The table of views.

The commands of ``scopelight show``, what panels ask for, and the methods of the Python interface are derived from it.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import attrs

from scopelight.views.left_out import with_left_out
from scopelight.views.prediction import with_prediction

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject
    from scopelight.views.needs import Need


@attrs.frozen
class Question:
    """What can be asked about a run: ``answer`` names the function from a `Subject` and the options to the record.

    Names of functions and classes are ``module:name``; the module is imported when it is needed: each question has
    modules of its own, and all of them take as long to import as an ordinary profile to read.
    """

    id: str
    options_at: str
    record_at: str
    answer: str

    @property
    def options(self) -> type:
        """The class of its options."""
        return class_at(self.options_at)

    @property
    def record(self) -> type:
        """The class of what it answers with."""
        return class_at(self.record_at)

    def ask(self, subject: "Subject", options: object) -> Any:  # noqa: ANN401 (the table says what it returns)
        """The record; one of a view always says what the capture left out, and for what it is predicted."""
        return with_prediction(with_left_out(function_of(self.answer)(subject, options), subject), subject, self.id)


@attrs.frozen
class View(Question):
    """A question with a name on the command line and, mostly, a panel.

    ``sentence`` says what it shows, ``more`` what else its help must say. It has something to show of a run
    that has any of its ``needs``. ``render`` prints the record on a console: with ``base``, the folder that paths are
    shown relative to, and ``limit``, the rows to print, where it is a list (``is_list``), and with ``line_text``, the
    text of a file's line, where it ``quotes_lines``. ``fitted`` fills in options that
    depend on how many columns a console has. ``written_as`` are other forms of its record, by the name of their flag:
    each a function from the record to a text.
    """

    sentence: str
    needs: "tuple[Need, ...]"
    render: str
    more: str | None = None
    is_list: bool = True
    quotes_lines: bool = False
    fitted: str | None = None
    written_as: Mapping[str, str] = attrs.field(factory=dict)


_PROGRAMS = "PATH may also be a compiled program (*.hlo.pb, or HLO text), or a directory of them."

VIEWS: Mapping[str, View] = {
    view.id: view
    for view in (
        View(
            id="overview",
            options_at="scopelight.analysis.overview.options:OverviewOptions",
            record_at="scopelight.analysis.overview.records:OverviewRecord",
            answer="scopelight.views.overview:overview",
            sentence="One page: where the steps went, what would make them faster, and what they ran on.",
            needs=("executions",),
            render="scopelight.report.overview.overview:render_overview",
        ),
        View(
            id="lines",
            options_at="scopelight.analysis.options:ScopeOptions",
            record_at="scopelight.analysis.records:LinesRecord",
            answer="scopelight.analysis.lines.view:lines",
            sentence="The lines of source that the time went to, longest first.",
            needs=("executions",),
            render="scopelight.report.lines:render_lines",
            quotes_lines=True,
        ),
        View(
            id="steps",
            options_at="scopelight.analysis.step_trace.options:StepTraceOptions",
            record_at="scopelight.analysis.step_trace.records:StepTraceRecord",
            answer="scopelight.analysis.step_trace.view:step_trace",
            sentence="Each step from its interval to its tail: forward, backward, optimizer, and what was exchanged.",
            needs=("executions",),
            render="scopelight.report.overview.steps:render_steps",
        ),
        View(
            id="programs",
            options_at="scopelight.analysis.options:NoOptions",
            record_at="scopelight.analysis.programs.records:ProgramsRecord",
            answer="scopelight.analysis.programs.view:programs",
            sentence="Every compiled program: variants, runs, compile time and why, arguments, memory, what calls it.",
            needs=("executions", "programs"),
            render="scopelight.report.overview.programs:render_programs",
        ),
        View(
            id="shapes",
            options_at="scopelight.analysis.options:NoOptions",
            record_at="scopelight.analysis.programs.records:ShapesRecord",
            answer="scopelight.analysis.programs.shapes:shapes",
            sentence="Programs whose shapes change: the time of each run with its shapes, and what padding would do.",
            needs=("executions",),
            render="scopelight.report.overview.programs:render_shapes",
        ),
        View(
            id="advice",
            options_at="scopelight.analysis.options:NoOptions",
            record_at="scopelight.analysis.advice.records:AdviceRecord",
            answer="scopelight.analysis.advice.view:advice",
            sentence="What would make the script faster or smaller, by how much at best, and where.",
            needs=("executions",),
            render="scopelight.report.overview.advice:render_advice",
        ),
        View(
            id="ops",
            options_at="scopelight.analysis.ops.options:OpsOptions",
            record_at="scopelight.analysis.ops.records:OpsRecord",
            answer="scopelight.analysis.ops.views:ops",
            sentence="Every op that ran: time, FLOPs, bytes, how well it used the device, and its line.",
            needs=("executions", "programs"),
            render="scopelight.report.ops:render_ops",
        ),
        View(
            id="op-profile",
            options_at="scopelight.analysis.ops.options:OpProfileOptions",
            record_at="scopelight.analysis.ops.records:OpProfileRecord",
            answer="scopelight.analysis.ops.views:op_profile",
            sentence="The ops as a tree, with the time that each node wasted.",
            needs=("executions",),
            render="scopelight.report.ops:render_op_profile",
        ),
        View(
            id="flops",
            options_at="scopelight.analysis.ops.options:OpsOptions",
            record_at="scopelight.analysis.ops.records:FlopsRecord",
            answer="scopelight.analysis.ops.views:flops",
            sentence="FLOPs of the model, its scopes and ops: MFU, HFU, padding and recomputation.",
            needs=("executions", "programs"),
            render="scopelight.report.ops:render_flops",
        ),
        View(
            id="graph",
            options_at="scopelight.analysis.graph.options:GraphOptions",
            record_at="scopelight.analysis.graph.records:Graph",
            answer="scopelight.analysis.graph.view:graph",
            sentence="A program as a graph: its lines by phase, its scopes, or the ops around one of them.",
            needs=("programs",),
            render="scopelight.report.graph.terminal:render_graph",
            more=_PROGRAMS,
            written_as={"dot": "scopelight.report.graph.dot:as_dot"},
        ),
        View(
            id="flame",
            options_at="scopelight.analysis.flame.options:FlameOptions",
            record_at="scopelight.analysis.flame.records:FlameRecord",
            answer="scopelight.analysis.flame.flame:flame",
            sentence="The stacks of Python that the time, the FLOPs or the memory went to, as a tree.",
            needs=("executions", "programs", "memory"),
            render="scopelight.report.flame.tree:render_flame",
            more=_PROGRAMS,
        ),
        View(
            id="roofline",
            options_at="scopelight.analysis.ops.options:RooflineOptions",
            record_at="scopelight.analysis.ops.records:RooflineRecord",
            answer="scopelight.analysis.ops.views:roofline",
            sentence="What each op and program reached, against what its intensity allows.",
            needs=("executions",),
            render="scopelight.report.ops:render_roofline",
        ),
        View(
            id="padding",
            options_at="scopelight.analysis.padding.options:PaddingOptions",
            record_at="scopelight.analysis.padding.records:PaddingRecord",
            answer="scopelight.analysis.padding.view:padding",
            sentence="Arrays and products that are rounded up to the device's tiles, greatest waste first.",
            needs=("executions", "programs"),
            render="scopelight.report.padding:render_padding",
            more="PATH may also be a compiled program: a *.hlo.pb, or HLO text.",
        ),
        View(
            id="compatibility",
            options_at="scopelight.analysis.options:NoOptions",
            record_at="scopelight.analysis.compatibility.records:CompatibilityRecord",
            answer="scopelight.analysis.compatibility.view:compatibility",
            sentence="What a TPU would do with each op: native, emulated, on the host or refused, by line and scope.",
            needs=("compatibility",),
            render="scopelight.report.compatibility:render_compatibility",
        ),
        View(
            id="timeline",
            options_at="scopelight.analysis.timeline.options:TimelineListingOptions",
            record_at="scopelight.analysis.timeline.windows.listed:TimelineListing",
            answer="scopelight.views.timeline:timeline",
            sentence="The tracks of devices and host threads, and when each was busy.",
            needs=("traces",),
            render="scopelight.report.timeline:render_timeline",
            more="Times count from the profile's first event.",
            is_list=False,
            fitted="scopelight.views.timeline:fitted",
        ),
        View(
            id="memory-viewer",
            options_at="scopelight.analysis.memory.options:ProgramMemoryOptions",
            record_at="scopelight.analysis.memory.plan.records:MemoryViewerRecord",
            answer="scopelight.analysis.memory.plan.views:memory_viewer",
            sentence="What a compiled program keeps in memory, position by position, and what is there at its peak.",
            needs=("programs",),
            render="scopelight.report.memory.plan:render_memory_viewer",
            more=_PROGRAMS,
        ),
        View(
            id="memory-lines",
            options_at="scopelight.analysis.memory.options:ProgramMemoryOptions",
            record_at="scopelight.analysis.memory.plan.records:MemoryLinesRecord",
            answer="scopelight.analysis.memory.plan.views:memory_lines",
            sentence="The lines of source that the memory of a compiled program is for at its peak, most bytes first.",
            needs=("programs", "memory"),
            render="scopelight.report.memory.plan:render_memory_lines",
            more=_PROGRAMS,
        ),
        View(
            id="fit",
            options_at="scopelight.analysis.memory.options:FitOptions",
            record_at="scopelight.analysis.memory.fit.records:FitRecord",
            answer="scopelight.analysis.memory.fit.view:fit",
            sentence="Whether each compiled program fits into memory, which lines take it, and what would save some.",
            needs=("programs",),
            render="scopelight.report.memory.fit:render_fit",
            more=_PROGRAMS,
        ),
        View(
            id="memory-profile",
            options_at="scopelight.analysis.options:NoOptions",
            record_at="scopelight.analysis.memory.profile.records:MemoryProfileRecord",
            answer="scopelight.analysis.memory.profile.view:memory_profile",
            sentence=(
                "Every memory over time and at its peak, live arrays by line, and what took it where a script ran out"
                " of it."
            ),
            needs=("memory",),
            render="scopelight.report.memory.profile:render_memory_profile",
            more=(
                "PATH may also be a snapshot of memory (pprof), as jax.profiler.save_device_memory_profile writes it."
            ),
        ),
        View(
            id="input",
            options_at="scopelight.analysis.options:NoOptions",
            record_at="scopelight.analysis.host.input.records:InputRecord",
            answer="scopelight.analysis.host.input.view:input_view",
            sentence="How much of the steps waits for input, where that is made, and what is slow about it.",
            needs=("waiting",),
            render="scopelight.report.host.input:render_input",
            quotes_lines=True,
        ),
        View(
            id="host",
            options_at="scopelight.analysis.options:NoOptions",
            record_at="scopelight.analysis.host.threads.records:HostThreadsRecord",
            answer="scopelight.analysis.host.threads.view:host",
            sentence="What the host's threads did while it was traced, and on which lines they stood.",
            needs=("traces",),
            render="scopelight.report.host.threads:render_host",
        ),
        View(
            id="counters",
            options_at="scopelight.analysis.counters.options:CountersOptions",
            record_at="scopelight.analysis.counters.records:CountersRecord",
            answer="scopelight.analysis.counters.view:counters",
            sentence="What the hardware counted while each op ran, where the trace has its counters.",
            needs=("executions",),
            render="scopelight.report.overview.counters:render_counters",
        ),
        View(
            id="hosts",
            options_at="scopelight.analysis.hosts.options:HostsOptions",
            record_at="scopelight.analysis.hosts.records:HostsRecord",
            answer="scopelight.views.hosts:hosts",
            sentence="What each host and each core costs the steps, whether it launches late or works longer, and why.",
            needs=("executions",),
            render="scopelight.report.hosts.hosts:render_hosts",
        ),
        View(
            id="links",
            options_at="scopelight.analysis.hosts.options:HostsOptions",
            record_at="scopelight.analysis.hosts.records:LinksRecord",
            answer="scopelight.views.hosts:links",
            sentence="What devices sent each other: bytes, rates, latencies, and which link is slower than others.",
            needs=("executions",),
            render="scopelight.report.hosts.links:render_links",
        ),
        View(
            id="clocks",
            options_at="scopelight.analysis.hosts.options:HostsOptions",
            record_at="scopelight.analysis.hosts.records:ClocksRecord",
            answer="scopelight.views.hosts:clocks",
            sentence="By how much the clocks of hosts differ, and how sure that is.",
            needs=("executions",),
            render="scopelight.report.hosts.clocks:render_clocks",
        ),
        View(
            id="resources",
            options_at="scopelight.analysis.options:NoOptions",
            record_at="scopelight.analysis.host.resources.records:ResourcesRecord",
            answer="scopelight.analysis.host.resources.view:resources",
            sentence="What the machine, the script's processes and threads, and accelerators did meanwhile.",
            needs=("resources",),
            render="scopelight.report.host.resources:render_resources",
        ),
    )
}
"""Every view by its id, in the order in which they are listed."""

DETAILS: Mapping[str, Question] = {
    question.id: question
    for question in (
        Question(
            id="opCard",
            options_at="scopelight.analysis.ops.options:OpCardOptions",
            record_at="scopelight.analysis.ops.records:OpCardRecord",
            answer="scopelight.analysis.ops.views:op_card",
        ),
        Question(
            id="memoryAt",
            options_at="scopelight.analysis.memory.options:MemoryAtOptions",
            record_at="scopelight.analysis.memory.plan.records:LiveAtRecord",
            answer="scopelight.analysis.memory.plan.views:memory_at",
        ),
    )
}
"""What views ask of one thing in their record, by its id."""


def function_of(name: str) -> Any:  # noqa: ANN401 (the table says what it takes and returns)
    """The function that is named ``module:function``."""
    return _named(name)


def class_at(name: str) -> type:
    """The class that is named ``module:class``."""
    found = _named(name)
    assert isinstance(found, type)
    return found


def _named(name: str) -> Any:  # noqa: ANN401
    module, _, of_module = name.partition(":")
    return getattr(import_module(module), of_module)
