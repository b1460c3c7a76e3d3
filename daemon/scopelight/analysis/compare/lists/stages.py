"""The stages of the input of one run, as rows that can be compared."""

from scopelight.analysis.compare.entries import Entry
from scopelight.analysis.compare.trees.side import TreeEntry
from scopelight.analysis.host.input.records import InputStage
from scopelight.analysis.host.input.view import input_view
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject


def stage_entries(subject: Subject) -> list[TreeEntry]:
    """The self time of every stage in a steady step; of a process only its share of a core is known."""
    return [
        TreeEntry(
            key=stage.key,
            parent=None,
            kind="stage",
            found_by=_found_by(stage),
            own=stage.self_per_step_ps,
            waiting_ps=stage.self_per_step_ps if stage.work is None else 0,
        )
        for stage in input_view(subject, NoOptions()).stages
        if stage.self_per_step_ps is not None
    ]


def _found_by(stage: InputStage) -> Entry:
    return Entry(
        key=stage.key,
        kind="op",
        label=stage.name,
        identities=((stage.kind, stage.name, stage.function), (stage.kind, stage.name), (stage.kind, stage.function)),
        path=stage.path,
        file=stage.file,
        line=stage.line,
        function=stage.function,
    )
