"""Words: what there is no way to in the graph of a program, and what of it is not followed."""

from scopelight.report.findings.words import Words

WORDS = {
    "program-without-ops": Words("{program} has no ops: it hands on what it is given."),
    "no-way-between-ops": Words("No way leads from {start} to {end}, in either direction."),
    "way-against-the-flow": Words(
        "The way goes against what ops hand on, too: neither end reads what the other makes."
    ),
    "no-op-found": Words("Nothing is found by “{searched}”: an op is found by name, opcode, shape, line and scope."),
    "graph-cut-off": Words("{program} is too entangled to follow all that its ops hand on: edges are missing."),
}
