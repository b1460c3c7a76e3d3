"""Opening a path so that views can be asked about it."""

from functools import partial
from pathlib import Path

from scopelight.analysis.subject import Subject
from scopelight.model.opening.profile import open_profile
from scopelight.source.recorded import SourceText
from scopelight.source.workspace import line_options


def open_subject(path: Path, *folders: Path) -> Subject:
    """A run, a log directory or one file, whose user's files are those in ``folders``; read when it is first needed."""
    return Subject(path, partial(open_profile, path), lambda profile: line_options(profile, *folders))


def source_text(subject: Subject) -> SourceText:
    """The text of the lines of a run's files."""
    capture = subject.profile.capture
    if capture is None:
        return SourceText()
    return SourceText(capture.sources, capture.cwd, subject.line_options.renamed)
