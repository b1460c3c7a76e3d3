"""The source that a report holds: the run's own copies of files that its records name, or none at all."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from scopelight.server.runs.loading import LoadedRun

ROOM_CHARACTERS = 2_000_000
"""Of all files together, the ones with the most time first."""

LEAST = 8
"""Characters of a line that is worth leaving out."""

QUOTING = ("view/input", "view/overview", "view/resources")
"""What names stages of the input by their lines, or has advice that does."""

Json = dict[str, Any]


def held_sources(run: LoadedRun) -> Mapping[str, str]:
    """The recorded text of files by the names that records have for them."""
    sources: dict[str, str] = {}
    room = ROOM_CHARACTERS
    for file in _files(run):
        lines = run.sources.lines(file)
        if lines is None or file in sources:
            continue
        text = "\n".join(lines).removesuffix("\n")
        if len(text) <= room:
            sources[file] = text
            room -= len(text)
    return sources


def recorded_lines(run: LoadedRun) -> Collection[str]:
    """The lines of the recorded files that say more than a word or two, longest first."""
    files = (run.sources.lines(file) or () for file in run.sources.files)
    return sorted({line.strip() for lines in files for line in lines if len(line.strip()) >= LEAST}, key=len)[::-1]


def without_lines(value: Any, lines: Collection[str]) -> Any:  # noqa: ANN401 (JSON)
    """JSON in whose texts a dash stands in place of each of these lines."""
    if isinstance(value, str):
        for line in lines if len(value) >= LEAST else ():
            value = value.replace(line, "–")
        return value
    if isinstance(value, dict):
        return {name: without_lines(each, lines) for name, each in value.items()}
    return [without_lines(each, lines) for each in value] if isinstance(value, list | tuple) else value


class SourceLeftOut:
    """Leaves out of what a report holds what it quotes of a run's source."""

    def __init__(self, run: LoadedRun) -> None:
        self._lines = recorded_lines(run)

    def answer(self, method: str, answer: Json) -> Json:
        """An answer without texts of lines, and without sentences and names that have one."""
        bare = without_lines(answer, self._lines) if method in QUOTING else dict(answer)
        if "sources" in bare:
            bare["sources"] = [None for _ in bare["sources"]]
        if isinstance(bare.get("run"), dict):
            bare["run"] = self.run(bare["run"])
        return bare

    def run(self, run: Json) -> Json:
        """A run without the sentence that quotes its hottest line."""
        return {**run, "summary": ""}


def _files(run: LoadedRun) -> Iterator[str]:
    for line in run.record.lines:
        if line.file is not None:
            yield line.file
    if run.script is not None:
        yield run.script
    yield from sorted(run.sources.files)
