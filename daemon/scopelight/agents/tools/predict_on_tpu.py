"""``predict_on_tpu``: what a TPU would do with a script, after a person agreed to run it."""

import shlex
from typing import Annotated

import attrs

from scopelight.agents.answer import Answer, Section, ToolError
from scopelight.agents.consent import asked_first
from scopelight.agents.desk import Asked
from scopelight.agents.foreign import quoted
from scopelight.agents.scripts import (
    ArgumentsOption,
    ConfirmedOption,
    PythonOption,
    ScriptOption,
    command_of,
    folder_of,
    said_of,
    script_of,
)
from scopelight.agents.started import Started, start
from scopelight.agents.tool import NoRun, call
from scopelight.agents.tools.summary import SummaryOptions, summarised
from scopelight.analysis.options import Option
from scopelight.capture.failures import Exit
from scopelight.report.prediction.marks import predicted_times


@attrs.frozen
class PredictOnTpuOptions(NoRun):
    """Which script, on what."""

    script: ScriptOption = attrs.field(kw_only=True)
    tpu: Annotated[str, Option('The TPU, such as "v5e-8"; several, with commas between them, are compared.')] = (
        attrs.field(kw_only=True)
    )
    args: ArgumentsOption = ()
    python: PythonOption = None
    confirmed: ConfirmedOption = False


def predict_on_tpu(asked: Asked[PredictOnTpuOptions]) -> Answer:
    """Whether it fits, what each line would take, and what the TPU would refuse: predicted, not measured."""
    options = asked.options
    script = script_of(asked, options.script)
    folder = folder_of(asked, script)
    command = ["preflight", "--tpu", options.tpu, *command_of(script, folder, options.args, options.python)]
    again = call(
        "predict_on_tpu",
        script=options.script,
        tpu=options.tpu,
        args=options.args,
        python=options.python,
        confirmed=True,
    )
    question = asked_first(asked, shlex.join(["scopelight", *command]), again)
    if question is not None:
        return question
    started = start(command, folder, asked.desk.client, lambda _: False)
    if started.was_cancelled:
        raise ToolError("It was cancelled; the script was interrupted.", call("list_runs"))
    if not started.runs or started.code == Exit.NO_COMPILER:
        raise ToolError(_why_nothing(started, options.script), call("list_runs"))
    return _predicted(asked, started)


def _why_nothing(started: Started, script: str) -> str:
    said = " ".join([*started.ours, *started.said[-2:]])
    return f"Nothing was predicted of {quoted(script)} (exit code {started.code}): {quoted(said, 360)}"


def _predicted(asked: Asked[PredictOnTpuOptions], started: Started) -> Answer:
    from scopelight.report.targets import cells  # noqa: PLC0415 (once something was predicted)
    from scopelight.views.targets import compared_targets  # noqa: PLC0415

    workspace = asked.desk.workspace
    record = compared_targets([(workspace.name_of(path), path) for path in started.runs], asked.base)
    with predicted_times(True):
        rows = [
            f"{quoted(each.name, 80)} on {quoted(each.target or each.device, 40)}: {cells.verdict(each)}; needs"
            f" {cells.needed(each) or 'an unknown amount'}; {cells.step_time(each) or 'no estimate'} a step"
            for each in record.runs
        ]
        name = workspace.name_of(started.runs[0])
        told = summarised(Asked(asked.desk, asked.tool, SummaryOptions(run=name)))
    heads = [*said_of(started), "Predicted by the TPU's compiler, not measured:"]
    runs = [
        {
            "run": each.name,
            "target": each.target,
            "fits": each.fits,
            "step_ps": each.step_ps,
            "peak_bytes": each.peak_bytes,
        }
        for each in record.runs
    ]
    data = {"run": name, "runs": runs, **told.data}
    return attrs.evolve(told, sections=[Section(heads, rows), *told.sections], data=data, run=started.runs[0])
