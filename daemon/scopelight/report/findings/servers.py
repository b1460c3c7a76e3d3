"""Words: why a job that runs could not be captured through its profiler server, and what to do."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said
from scopelight.report.language import text


def _too_old(values: Mapping[str, Any]) -> str:
    said = {"address": as_said("address", values["address"])}
    if values["jaxlib"] is None:
        return text(
            "{address} is of jax with a jaxlib older than 0.9: a capture from outside can freeze or end such a job, so"
            " it was not asked.",
            **said,
        )
    return text(
        "{address} is of jax with jaxlib {jaxlib}, older than 0.9: a capture from outside can freeze or end such a job,"
        " so it was not asked.",
        jaxlib=as_said("jaxlib", values["jaxlib"]),
        **said,
    )


def _died(values: Mapping[str, Any]) -> str:
    said = {name: as_said(name, values[name]) for name in ("address", "name", "pid")}
    if values["how"] is None:
        return text("{name} (process {pid}), which listened at {address}, ended while it was captured.", **said)
    return text(
        "{name} (process {pid}), which listened at {address}, ended while it was captured ({how}).",
        how=as_said("how", values["how"]),
        **said,
    )


def _lost(values: Mapping[str, Any]) -> str:
    address = as_said("address", values["address"])
    if values["problem"] is None:
        return text(
            "{address} ended the connection before its trace had come: the job may have ended.", address=address
        )
    return text(
        "{address} ended the connection before its trace had come ({problem}): the job may have ended.",
        address=address,
        problem=as_said("problem", values["problem"]),
    )


def _foreign(values: Mapping[str, Any]) -> str:
    address = as_said("address", values["address"])
    if values["problem"] is None:
        return text("What listens at {address} is no profiler server.", address=address)
    return text(
        "What listens at {address} is no profiler server ({problem}).",
        address=address,
        problem=as_said("problem", values["problem"]),
    )


WORDS = {
    "server-unreachable": Words(
        "Nothing could be reached at {address} ({problem}).",
        "See that the job runs, that it has called jax.profiler.start_server, and with which port.",
    ),
    "server-silent": Words(
        "{address} takes connections and says nothing.",
        "The job may be stopped, or another program listens there: see which process has the port.",
    ),
    "server-foreign": Words(
        _foreign, "Name the port that the job gave to jax.profiler.start_server; `scopelight capture --list` finds it."
    ),
    "server-without-profiler": Words(
        "What listens at {address} is a server of gRPC, but not of a profiler.",
        "Name the port that the job gave to jax.profiler.start_server; `scopelight capture --list` finds it.",
    ),
    "server-too-old": Words(
        _too_old,
        "Start the script with `scopelight run`, give it jaxlib 0.9 or later, or ask all the same with --trust-server.",
    ),
    "server-of-tensorflow": Words(
        "{address} is TensorFlow's own profiler server, which was not tried: it keeps its data on its own machine.",
        "Ask all the same with --trust-server.",
    ),
    "server-port-shared": Words(
        "Several processes listen at port {port}, and each connection reaches any of them: {processes}.",
        "Give each job a port of its own in start_server, or choose one of them with --pid.",
    ),
    "server-busy": Words(
        "{address} is at another capture: of another person, or one that its script has begun.",
        "Capture again when it is over, or wait longer with --attempts.",
    ),
    "server-refused": Words("{address} could not be captured: {problem}."),
    "server-idle": Words(
        "{address} was traced for {asked_s}, and nothing ran meanwhile: the job is idle, or compiles.",
        "Capture while it trains, or longer with --seconds.",
    ),
    "server-empty-without-host": Words(
        "{address} gave a trace without an event: on a CPU there is none at host level 0.", "Use --host-level 2."
    ),
    "server-python-held": Words(
        "{address} gave a trace without an event after {took_s} instead of {asked_s}: code of the job held Python's "
        "lock, and the profiler could not begin.",
        "Capture again, or longer with --seconds.",
    ),
    "server-held": Words(
        "The capture of {address} ended at its deadline after {waited_s}: the server lives, but the job has not let "
        "the profiler begin or end.",
        "Code of the job may hold Python's lock: see where it stands with py-spy, and capture again.",
    ),
    "server-fell-silent": Words(
        "The capture of {address} ended at its deadline after {waited_s}: the server says nothing any more.",
        "The job may be stopped, or the network between has a fault.",
    ),
    "server-stopped": Words(
        "The capture of {address} ended at its deadline after {waited_s}: {name} (process {pid}) is stopped by a "
        "signal.",
        "Have it go on (kill -CONT {pid}), and capture again.",
    ),
    "server-died": Words(_died),
    "server-lost": Words(_lost),
    "server-answer-too-large": Words(
        "The trace of {address} is larger than 2 GiB, which its server cannot send.", "Capture less with --seconds."
    ),
    "server-cancelled": Words("The capture of {address} was cancelled."),
    "server-kept-file": Words(
        "The trace of {address} was written on its own machine: {path}.",
        "Copy it from there; Scopelight opens the file.",
    ),
    "monitor-nothing-ran": Words("Nothing ran on a device meanwhile, so how far it is used is not known."),
    "monitor-without-infeed": Words(
        "No device has an infeed, so the share of steps that it waits for input is not seen from there.",
        "Start the script with `scopelight run` to see which lines it waits for.",
    ),
    "monitor-while-captured": Words(
        "The job is being captured now, so how far its devices are used was not looked at.",
        "Readings go on when its window is captured.",
    ),
    "monitor-while-script-traces": Words(
        "The script traces itself now, so how far its devices are used was not looked at."
    ),
    "monitor-not-traced": Words("The job could not be looked at: {problem}."),
    "monitor-no-device-yet": Words("The job has used jax on no device yet."),
    "monitor-of-one-process": Words(
        "The job has {processes} processes: this is the first of them, the others are not looked at.",
        "Capture a window to see all of them: `scopelight capture --run`.",
    ),
    "monitor-no-answer": Words(
        "The job gave no answer for {waited_s}: code of it may hold Python's lock, or it is stopped.",
        "See where it stands with py-spy.",
    ),
    "monitor-part-of-step": Words(
        "A step takes {step_ps}, longer than the {traced_ps} that were traced: how far devices are used is that of a"
        " part of it.",
        "Look at several readings, or capture steps with `scopelight capture --run`.",
    ),
    "servers-began-apart": Words(
        "The servers began to trace up to {apart_ps} apart.",
        "Capture again when none of them is at another capture.",
    ),
}
