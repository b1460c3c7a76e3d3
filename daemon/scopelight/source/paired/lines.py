"""Which line of one run's recorded sources became which of another's."""

from collections.abc import Mapping, Sequence

from scopelight.analysis.compare.pairing import OtherPlace, PairedLines, Place
from scopelight.analysis.subject import Subject
from scopelight.source.drift.drift import Drift, follow
from scopelight.source.paired.files import paired_files
from scopelight.source.recorded import RecordedSources


def paired_lines(before: Subject, after: Subject) -> PairedLines:
    """Follow the lines of the files that both runs keep a copy of. Each file is followed once, when it is asked for."""
    texts = _texts(before), _texts(after)
    return followed(*texts)


def followed(before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]) -> PairedLines:
    """Follow the lines of files whose texts are known, by their names."""
    files = paired_files(before, after)
    drifts: dict[str, Drift] = {}

    files_before = {other: file for file, other in files.items()}

    def drift_of(file: str) -> Drift:
        if file not in drifts:
            drifts[file] = follow(before[file], after[files[file]])
        return drifts[file]

    def place_after(place: Place) -> OtherPlace | None:
        file, line = place
        if file not in files:
            return None
        found = drift_of(file).place(line)
        if found.state == "gone":
            return None
        return OtherPlace(files[file], found.line, "text" if found.state == "current" else "place")

    def place_before(place: Place) -> OtherPlace | None:
        file = files_before.get(place[0])
        line = None if file is None else drift_of(file).recorded(place[1])
        after_it = None if file is None or line is None else place_after((file, line))
        return None if file is None or line is None or after_it is None else OtherPlace(file, line, after_it.by)

    return PairedLines(files, place_after, place_before)


def _texts(subject: Subject) -> dict[str, Sequence[str]]:
    capture = subject.profile.capture
    if capture is None:
        return {}
    sources = RecordedSources(capture.sources, capture.cwd, subject.line_options.renamed)
    texts = {file: sources.lines(file) for file in sources.files}
    return {file: lines for file, lines in texts.items() if lines is not None}
