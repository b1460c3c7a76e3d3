"""Words: what would make a script faster or smaller."""

from collections.abc import Mapping
from typing import Any

from scopelight.analysis.programs.reasons import CompileCause
from scopelight.report.findings import host
from scopelight.report.findings.words import Words, as_said, listed
from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text
from scopelight.report.overview.counting import amd_command, nvidia_command, perf_command

_MOST_ARGUMENTS = 3


def _few_workers(values: Mapping[str, Any]) -> str:
    return host.WORDS[values["cause"]].said(values)


def _more_workers(values: Mapping[str, Any]) -> str:
    return host.WORDS[values["cause"]].said_to_do(values)


def _recompilation(values: Mapping[str, Any]) -> str:
    compiles, function = values["compiles"], f"{values['function']}()"
    said = text(
        "{function} was compiled again once in the steps, which took {time}."
        if compiles == 1
        else "{function} was compiled again {compiles} times in the steps, {time} each.",
        function=printable(function),
        compiles=compiles,
        time=as_said("per_compile_ps", values["per_compile_ps"]),
    )
    why = text(CAUSES[values["cause"]])
    changed = changed_arguments(values)
    return f"{said} {why}: {changed}." if changed else f"{said} {why}."


CAUSES: Mapping[CompileCause, str] = {
    "first": template("It was not compiled before"),
    "argument": template("An argument changed last"),
    "static": template("A static argument changed last"),
    "structure": template("What it takes was put together otherwise"),
    "context": template("An option of jax changed"),
    "redefined": template("It was defined anew on the same line"),
    "placement": template("Its arrays were placed otherwise"),
    "unexplained": template("Why is not explained by jax"),
}
"""Why a function was compiled, as a sentence begins."""


def changed_arguments(values: Mapping[str, Any]) -> str:
    """``x: f32[128,256] → f32[133,256]``, of many arguments the first few."""
    names, before, after = values["arguments"], values["before"], values["after"]
    none = text("(none)")
    parts = [
        (f"{printable(name)}: " if name else "") + f"{printable(old) or none} → {printable(new) or none}"
        for name, old, new in zip(names, before, after, strict=True)
    ]
    rest = len(parts) - _MOST_ARGUMENTS
    said = ", ".join(parts[:_MOST_ARGUMENTS])
    return text("{names} and {rest} more", names=said, rest=rest) if rest > 0 else said


def _sync(values: Mapping[str, Any]) -> str:
    said = text(
        "The script waits here for a result in every step, and prepares nothing meanwhile: {exposed_ps} per step begins"
        " only when the device has nothing left to do.",
        exposed_ps=as_said("exposed_ps", values["exposed_ps"]),
    )
    return host.with_place(said, values)


def _donation(values: Mapping[str, Any]) -> str:
    return text(
        "{function}() makes new arrays for {arguments} beside the old ones, which every call replaces: {donated} of the"
        " {peak} that it needs at its peak ({names}).",
        function=printable(values["function"]),
        arguments=listed(values["arguments"]),
        donated=as_said("donated_bytes", values["donated_bytes"]),
        peak=as_said("peak_bytes", values["peak_bytes"]),
        names=listed(values["names"]),
    )


_TITLES: Mapping[str, str] = {
    "input-bound": template("Waiting for input"),
    "recompilation": template("Compiling again"),
    "sync-in-step": template("Waiting for results in each step"),
    "transfers": template("Transfers"),
    "host-callback": template("Calling back to Python"),
    "many-programs": template("Many small programs"),
    "dispatch-bound": template("Launching"),
    "periodic-stall": template("Stalls every few steps"),
    "exposed-communication": template("Communication that is not hidden"),
    "low-matrix-unit-use": template("Little use of the matrix unit"),
    "padding": template("Padding"),
    "few-workers": template("Few workers"),
    "double-precision": template("Double precision"),
    "missing-donation": template("Donation"),
    "memory-near-capacity": template("Memory near its capacity"),
    "residuals-worth-checkpoint": template("Residuals"),
    "unrolled-loop": template("An unrolled loop"),
    "debug-settings": template("Debug settings"),
}
"""What an advice is about, in a word or two."""


def _effect(values: Mapping[str, Any]) -> str:
    title = text(_TITLES[values["advice"]])
    unit = "_ps" if values["promised_ps"] is not None else "_bytes"
    promised, measured = (as_said(name + unit, values[name + unit]) for name in ("promised", "measured"))
    if values["measured" + unit] is None:
        return text(
            "{title}: predicted at best {promised}, what it saved is not known.", title=title, promised=promised
        )
    if values["together"] > 1:
        return text(
            "{title}: predicted at best {promised}, measured {measured} with the others of these.",
            title=title,
            promised=promised,
            measured=measured,
        )
    return text(
        "{title}: predicted at best {promised}, measured {measured}.", title=title, promised=promised, measured=measured
    )


def _absent(values: Mapping[str, Any]) -> str:
    return text(_ABSENT[values["backend"]])


def _how_to_count(values: Mapping[str, Any]) -> str:
    command = values["command"]
    if values["backend"] == "cpu":
        return text("Count from outside: `{command}`.", command=printable(perf_command(command)))
    if values["backend"] == "gpu":
        return text(
            "NVIDIA counts from outside: `{nvidia}`; AMD: `{amd}`.",
            nvidia=printable(nvidia_command(command, values["kernel"])),
            amd=printable(amd_command(command)),
        )
    return ""


_ABSENT: Mapping[str, str] = {
    "cpu": template("The profiler of a CPU samples no counters of the hardware."),
    "gpu": template(
        "This trace has no counters: GPUs sample them only where the profiler is told to, and is allowed to."
    ),
    "tpu": template(
        "This trace has no counters: the runtime of TPUs writes them for v6e and newer, where it is told to."
    ),
}


WORDS = {
    "counters-absent": Words(_absent, _how_to_count),
    "advice-effect": Words(_effect),
    "sync-in-step": Words(
        _sync,
        "Keep the value on the device and read it every few steps, or only print what is there:"
        " jax.Array.copy_to_host_async().",
    ),
    "recompilation": Words(
        _recompilation,
        "Pad or bucket what changes to a few sizes; make plain Python values static only where they hardly change; call"
        " jax.jit once, outside of the loop.",
    ),
    "missing-donation": Words(
        _donation,
        "Let it reuse them: jax.jit(..., donate_argnums=...).",
    ),
    "many-programs": Words(
        "{programs_per_step} programs are launched in each step ({names}), and devices wait {per_step_ps} per step"
        " between them.",
        "Put what these lines do into one function under jax.jit.",
    ),
    "dispatch-bound": Words(
        "Devices wait to be launched for {launching_ratio} of the steps: {per_step_ps} of {step_ps}.",
        "Do several steps in one program (jax.lax.scan over batches), or more work in each: a larger batch.",
    ),
    "transfers": Words(
        "Devices wait for data to be moved for {transfer_ratio} of the steps: {per_step_ps} of {step_ps}.",
        "Move less, in a smaller type where that will do; once, where it is the same in each step; else ahead of time"
        " on another thread, while the device works.",
    ),
    "host-callback": Words(
        "Calls back to Python per step: {callbacks_per_step}, for which devices wait {per_step_ps}:"
        " {callback_ratio} of the steps.",
        "Leave it out where it only prints or checks, call it every few steps, or compute the same with jax.numpy.",
    ),
    "periodic-stall": Words(
        "Every {every_steps} steps one takes {slow_step_ps} in place of {usual_step_ps}, while the script stands here.",
        "Do this less often, or on another thread: a checkpoint can be written asynchronously.",
    ),
    "unrolled-loop": Words(
        "This loop puts {copies} equal layers into one program ({op} of {shape}), which has {instructions}"
        " instructions: that takes long to compile.",
        "Stack the weights of equal layers and let jax.lax.scan compile the layer once.",
    ),
    "double-precision": Words(
        "{ops} ops compute in double precision: {op_time_ratio} of the op time.",
        "Leave jax_enable_x64 off, or cast to float32 where that will do.",
        one="One op computes in double precision: {op_time_ratio} of the op time.",
        number="ops",
    ),
    "few-workers": Words(_few_workers, _more_workers),
    "padding": Words(
        "{shape} fills only {used_ratio} of the device's tiles: {lost_ratio} of the op time goes into padding.",
        "Choose sizes that are multiples of the tile.",
    ),
    "memory-near-capacity": Words(
        "The program needs {peak_bytes} of {capacity_bytes} at its peak ({used_ratio}): a little more, and it runs out"
        " of memory.",
        "See what is there at the peak; donate arguments, compute activations again (jax.checkpoint), or split the"
        " batch.",
    ),
    "residuals-worth-checkpoint": Words(
        "{residual_bytes} of what this line computes is kept for the backward pass: {peak_ratio} of the peak.",
        "Compute it again there: jax.checkpoint on the function around it.",
    ),
    "exposed-communication": Words(
        "Devices exchange data for {exposed_ratio} of the steps and compute nothing meanwhile: {per_step_ps} per step,"
        " in {ops} ops.",
        "Let the compiler overlap them (asynchronous collectives), exchange less often, or shard otherwise.",
        one="Devices exchange data for {exposed_ratio} of the steps and compute nothing meanwhile: {per_step_ps} per"
        " step, in one op.",
        number="ops",
    ),
    "low-matrix-unit-use": Words(
        "{ops} ops that computing limits reach {used_ratio} of the peak for {types}, in {wall_ratio} of the steps.",
        "Use larger batches or matrices, sizes that fit the tiles, or a smaller type such as bfloat16.",
        one="One op that computing limits reaches {used_ratio} of the peak for {types}, in {wall_ratio} of the steps.",
        number="ops",
    ),
    "debug-settings": Words(
        "Settings for debugging are on: {names}.",
        "Turn them off for measurements and for training.",
    ),
    "advice-shares-cores": Words(
        "Script and device share the cores of this machine: what one of them saves the other may take, so that savings"
        " are upper bounds and may not be seen here."
    ),
    "advice-of-steady-steps": Words(
        "Advice is on the {steady} of {steps} steps in which nothing was compiled; that on recompilation on all."
    ),
    "advice-lines-unknown": Words("Less than 80 % of the steps is on lines, so that no line is named."),
    "advice-few-steps": Words(
        "Only {steps} steady steps were captured: {least} are needed to say what would help.",
        "Capture more steps: --steps 10.",
        one="Only one steady step was captured: {least} are needed to say what would help.",
        number="steps",
    ),
    "step-trace-no-start": Words(
        "No op of the steps is {text}: where the forward pass begins is not known.",
        "Name a line of the model, or a regular expression that the name of an op matches.",
    ),
    "step-trace-no-end": Words(
        "No op of the steps is {text}: where the backward pass ends is not known.",
        "Name a line of the model, or a regular expression that the name of an op matches.",
    ),
    "compilations-not-recorded": Words(
        "What was compiled, when and why was not recorded: it is known what ran.",
        "Capture with Scopelight to see what compiling took, and why.",
    ),
    "shapes-do-not-change": Words(
        "Every function was compiled to one program only: no shape changes from step to step in this profile."
    ),
    "advice-nothing-found": Words("Nothing stands out in these {steps} steps: no rule found anything worth a change."),
}
