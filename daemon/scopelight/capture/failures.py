"""What can go wrong before or instead of a capture: one sentence each, and an exit code of its own."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of Scopelight's own; a script that fails keeps its code instead."""

    SCRIPT_MISSING = 65
    INTERPRETER_MISSING = 66
    NO_JAX = 67
    JAX_NOT_USED = 68
    UNWRITABLE = 69
    NOT_TRACED = 70
    NO_ADDRESS = 71
    PARTIAL = 72
    NOT_CAPTURED = 73
    REFUSED = 74
    NO_COMPILER = 75
    REVISION_MISSING = 76
    NOT_COMPARED = 77


EXIT_MEANINGS = {
    Exit.SCRIPT_MISSING: "the script or module does not exist",
    Exit.INTERPRETER_MISSING: "the Python interpreter does not exist or does not run",
    Exit.NO_JAX: "the interpreter has no jax",
    Exit.JAX_NOT_USED: "the script ended without using jax",
    Exit.UNWRITABLE: "the run directory cannot be written",
    Exit.NOT_TRACED: "jax was used but no trace could be taken",
    Exit.REVISION_MISSING: "--against: git has no such revision, or the revision has no such script",
    Exit.NOT_COMPARED: "--against: no round was captured of both sides, or files were edited before all were",
}
"""Of those that `scopelight run` ends with."""
SERVER_EXIT_MEANINGS = {
    Exit.UNWRITABLE: "the run directory cannot be written",
    Exit.NO_ADDRESS: "no job was named that could be captured, or none is found",
    Exit.PARTIAL: "some of the servers, or of the job's processes, were captured, and others were not",
    Exit.NOT_CAPTURED: "no server gave a trace",
    Exit.REFUSED: "the server was not asked, for its job could freeze or end of it",
}
"""Of those that `scopelight capture` ends with."""
PREFLIGHT_EXIT_MEANINGS = {
    each: EXIT_MEANINGS[each]
    for each in (Exit.SCRIPT_MISSING, Exit.INTERPRETER_MISSING, Exit.NO_JAX, Exit.JAX_NOT_USED, Exit.UNWRITABLE)
} | {
    Exit.NOT_CAPTURED: "the compiler compiled none of the programs",
    Exit.NO_COMPILER: "there is no compiler for TPUs here, and none was installed",
}
"""Of those that `scopelight preflight` ends with."""


class CaptureFailure(Exception):  # noqa: N818 (the word of the command line)
    """One sentence for the user, and the exit code that says the same."""

    def __init__(self, sentence: str, exit_code: Exit) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.exit_code = exit_code
