"""Words: predicted runs side by side, and what was measured beside them."""

from scopelight.report.findings.words import Words
from scopelight.report.language import template

WORDS = {
    "nothing-to-compare": Words(
        "No predicted run is there to be compared.",
        template("Name several TPUs: scopelight preflight --tpu v5e-8,v6e-8 SCRIPT."),
    ),
    "compared-run-unreadable": Words("{run} is left out: {problem}"),
    "compared-run-elsewhere": Words("{run} is left out: it neither ran on a TPU nor was predicted for one."),
    "compared-with-measured": Words(
        "Times of {names} are measured; all others are what the compiler expects, marked ≈."
    ),
    "compared-by-estimates": Words(
        "Times are what the compiler expects on each kind of device, by clocks that follow from published peaks:"
        " between kinds they compare roughly.",
        one="Times are what the compiler expects: they compare variants, and promise no milliseconds.",
        number="devices",
    ),
    "compared-between-slices": Words(
        "Of {names} steps lack what slices exchange over the network between them, which has no estimate.",
    ),
    "compared-without-time": Words(
        "Of {names} no time of a step is told: a program of each does not fit, was refused, or was not compiled.",
        one="Of {names} no time of a step is told: a program of it does not fit, was refused, or was not compiled.",
        number="names",
    ),
}
