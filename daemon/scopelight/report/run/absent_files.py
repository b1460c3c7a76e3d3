"""Why a line of a run has no file to open, in a sentence."""

from scopelight.report.language import text
from scopelight.source.fileless import Fileless
from scopelight.source.matching import path_parts


def absent_file(file: str, *, of_run: bool) -> str:
    """That a recorded file is not here; ``of_run``: there is a run, which keeps no copy of it."""
    name = file_name(file)
    if of_run:
        return text("{name} of the run is not on this machine, and the run keeps no copy of it.", name=name)
    return text("{name} of the profile is not on this machine.", name=name)


def fileless_line(file: str, kind: Fileless) -> str:
    """What a recorded path is that never was a file."""
    if kind == "notebook":
        return text("The line is in a cell of a notebook, which has no file of its own.")
    if kind == "typed":
        return text("{name} was typed into an interpreter: it has no file.", name=file)
    if kind == "built-in":
        return text("{name} is built into the program that ran: it has no file.", name=file)
    return text("{name} is code that was made while the script ran: it has no file.", name=file)


def not_in_folder(file: str, folder: str) -> str:
    """That a folder does not hold a recorded file, or more than one that it may be."""
    return text(
        "{folder} holds no file that {name} of the run must be: choose another folder.",
        name=file_name(file),
        folder=folder,
    )


def file_name(file: str) -> str:
    """The last part of a recorded path."""
    parts = path_parts(file)
    return parts[-1] if parts else file
