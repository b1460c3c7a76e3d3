"""Words: what the flame graph cannot show."""

from scopelight.report.findings.words import Words

WORDS = {
    "no-memory-known": Words(
        "The profile holds neither compiled programs, which say what they keep in memory, nor snapshots of memory.",
        "Capture again: both are kept.",
    ),
    "flops-unknown": Words(
        "Of none of the ops that ran ({unknown_ps}) are the FLOPs known.",
        "Look at their time instead.",
    ),
    "some-flops-unknown": Words("The FLOPs of some ops are not known: they took {unknown_ps} of op time."),
    "no-steps": Words("No complete steps were found: the whole profile is shown."),
}
