"""Words: what the flame graph cannot show."""

from scopelight.report.findings.words import Words

WORDS = {
    "flops-unknown": Words(
        "Of none of the ops that ran ({unknown_ps}) are the FLOPs known.",
        "Look at their time instead.",
    ),
    "some-flops-unknown": Words("The FLOPs of some ops are not known: they took {unknown_ps} of op time."),
}
