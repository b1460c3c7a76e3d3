"""The list of tools: what is served over MCP and as an editor's language-model tools is derived from it."""

from collections.abc import Mapping

from scopelight.agents.tool import Tool

_TOOLS = "scopelight.agents.tools"


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            name="list_runs",
            title="List profiled runs",
            description=(
                "Lists the captured profiles (runs) of this workspace, newest first, with script, arguments, device and"
                " state. The other tools take the newest run where none is named."
            ),
            options_at=f"{_TOOLS}.list_runs:ListRunsOptions",
            answer=f"{_TOOLS}.list_runs:list_runs",
        ),
        Tool(
            name="profile_script",
            title="Profile a script",
            description=(
                "Runs a script of this workspace under capture, once the person agreed, and summarises what its steps"
                " took. It does whatever the script does; by default it is interrupted once its steps are captured."
                " Measure again with it after a change."
            ),
            options_at=f"{_TOOLS}.profile_script:ProfileScriptOptions",
            answer=f"{_TOOLS}.profile_script:profile_script",
            runs_script=True,
        ),
        Tool(
            name="summary",
            title="Summarise a run",
            description=(
                "Begin here when a JAX script is slow: step time and what it went to (computing, waiting for input,"
                " compiling, communication), the first lines and ops, and what to do next."
            ),
            view_id="overview",
            shown_as="overview",
            options_at=f"{_TOOLS}.summary:SummaryOptions",
            answer=f"{_TOOLS}.summary:summary",
        ),
        Tool(
            name="hot_lines",
            title="Show the hot lines",
            description=(
                "Each with its share of the step, what it computes or why devices wait for it, its source and its"
                " longest op. What is on no line is said as such."
            ),
            view_id="lines",
            shown_as="lines",
            options_at=f"{_TOOLS}.hot_lines:HotLinesOptions",
            answer=f"{_TOOLS}.hot_lines:hot_lines",
        ),
        Tool(
            name="line_detail",
            title="Explain a line",
            description=(
                "Opens one line of source that has time: its phases, ops with shapes and rates, what it is bound by,"
                " why devices wait for it, its padding and memory, and advice on it."
            ),
            shows_line=True,
            view_id="lines",
            options_at=f"{_TOOLS}.line_detail:LineDetailOptions",
            answer=f"{_TOOLS}.line_detail:line_detail",
        ),
        Tool(
            name="op_detail",
            title="Explain an op",
            description=(
                "Opens one of them: executions, FLOPs and bytes with their rates, arrays and padding, what a fusion"
                " holds, the stack that it comes from, its HLO."
            ),
            shows_line=True,
            view_id="ops",
            options_at=f"{_TOOLS}.op_detail:OpDetailOptions",
            answer=f"{_TOOLS}.op_detail:op_detail",
        ),
        Tool(
            name="memory_at_peak",
            title="Show memory at the peak",
            description=(
                "Ask it where a script ran out of memory or nearly does: measured and planned peaks, lines, arguments"
                " and buffers that are there, and what saves how much."
            ),
            view_id="fit",
            shown_as="memory-viewer",
            options_at=f"{_TOOLS}.memory_at_peak:MemoryAtPeakOptions",
            answer=f"{_TOOLS}.memory_at_peak:memory_at_peak",
        ),
        Tool(
            name="advice",
            title="Get advice on a run",
            description=(
                "Troubles that are proven by the run's own figures, each with its line, its proof, the saving at best"
                " and what to change; what came of the advice on the run before."
            ),
            view_id="advice",
            shows_line=True,
            options_at=f"{_TOOLS}.advice:AdviceOptions",
            answer=f"{_TOOLS}.advice:advice",
        ),
        Tool(
            name="compare",
            title="Compare two runs",
            description=(
                "What changed between two runs, or rounds of two: FLOPs, bytes, compilations and memory, which are"
                " exact, and times with a verdict each (more, less, no change seen, cannot tell), by line, op, scope,"
                " step, memory or shape. Ask it after a change."
            ),
            options_at=f"{_TOOLS}.compare:CompareOptions",
            answer=f"{_TOOLS}.compare:compare",
            shows_line=True,
        ),
        Tool(
            name="predict_on_tpu",
            title="Predict a script on a TPU",
            description=(
                "Says what a TPU would do with a script, without one, once the person agreed to run it on zeros:"
                " whether it fits into memory, what each line would take, which ops are refused. It is no measurement."
            ),
            options_at=f"{_TOOLS}.predict_on_tpu:PredictOnTpuOptions",
            answer=f"{_TOOLS}.predict_on_tpu:predict_on_tpu",
            runs_script=True,
        ),
        Tool(
            name="sql",
            title="Query a run in SQL",
            description=(
                "For what no other tool answers: one SELECT over the tables of a run (steps, executions, ops, lines,"
                " op_lines, programs, buffers, memory, host_samples, gaps, findings, runs), or of several. It reads"
                " nothing else, and ends after 10 s."
            ),
            options_at=f"{_TOOLS}.sql:SqlOptions",
            answer=f"{_TOOLS}.sql:sql",
        ),
    )
}
"""Every tool by its name, in the order in which they are listed."""
