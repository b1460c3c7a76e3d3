"""Words: why there is nothing to show."""

from scopelight.report.findings.words import Words

WORDS = {
    "no-op-ran": Words(
        "No op ran on a device while the profile was made.",
        "Capture while the program computes; without a window of your own one is chosen that does.",
    ),
}
