"""Quick fixes: of advice, and a size in the source that fits the tiles, where a number there is provably that size.

Where none is, the diagnostic names the sizes and there is nothing to click on.
"""

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from scopelight.analysis.lines.costs import LineCosts
from scopelight.analysis.padding.records import PaddingRow
from scopelight.analysis.padding.resizing import Resizing, fits_better, is_worth_offering, next_multiple, resize
from scopelight.program.hlo.tiling import DimensionPadding
from scopelight.report.language import template, text
from scopelight.report.numbers import share
from scopelight.report.padding_sentences import padded_dimensions
from scopelight.server.budgets.actions import budget_actions
from scopelight.server.documents.documents import Document
from scopelight.server.lines.advice_fixes import advice_actions
from scopelight.server.lines.diagnostics import PaddingFinding, diagnostic, padding_findings
from scopelight.server.lines.workspace_edits import workspace_edit
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.server.wire.faults import guarded
from scopelight.server.work import Key
from scopelight.source.drift.document import DocumentDrift
from scopelight.source.sizes.literals import SizeLiteral, SizeLiterals

if TYPE_CHECKING:
    from scopelight.analysis.padding.array_shapes import ArrayShapes
    from scopelight.model.profile import Profile

_ANNOTATION = "scopelight.padding"


@attrs.frozen(slots=True)
class SizeFix:
    """A number to be replaced: where it is now, what by, and how much of the padded work is used before and after.

    That is not known where other sizes of the work were edited since it was measured.
    """

    path: str
    literal: SizeLiteral
    size: int
    new_size: int
    resizing: Resizing | None
    rows: int
    """Products and arrays that get a size that fits better."""

    @property
    def title(self) -> str:
        """``Pad VOCABULARY from 50257 to 50304 (99.9 % → 100.0 % used)``."""
        name, values = self.literal.name, {"size": self.size, "new": self.new_size}
        title = (
            text("Pad {name} from {size} to {new}", name=name, **values)
            if name
            else text("Pad {size} to {new}", **values)
        )
        if self.resizing is None:
            return title
        used = text(
            "{share} used", share=f"{share(self.resizing.used_before_ratio)} → {share(self.resizing.used_after_ratio)}"
        )
        return f"{title} ({used})"


@attrs.frozen(slots=True, eq=False)
class _Sources:
    """The run's files that are here: where they are and their lines now, and their numbers when recorded and now."""

    paths: Mapping[str, str]
    lines: Mapping[str, Sequence[str]]
    then: SizeLiterals
    now: SizeLiterals

    @classmethod
    def of(cls, run: LoadedRun, texts: Mapping[str, tuple[str, Sequence[str]]]) -> "_Sources":
        # A file that was recorded under several paths is one.
        paths = {file: path for path, file in {path: file for file, (path, _) in texts.items()}.items()}
        present = {file: texts[file][1] for file in paths}
        recorded = {file: run.sources.lines(file) or lines for file, lines in present.items()}
        return cls(paths, present, SizeLiterals(recorded), SizeLiterals(present))


def register(server: LanguageServer, session: Session) -> None:
    """Answer with the fixes of the padding on the lines that are asked for."""

    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        only = params.context.only
        fixes, others = _wants(only, types.CodeActionKind.QuickFix), _wants(only, types.CodeActionKind.Refactor)
        placed = await session.placed(params.text_document.uri) if fixes or others else None
        if placed is None:
            return []
        first, last = params.range.start.line + 1, params.range.end.line + 1
        return [
            *(await _padding_actions(session, *placed, first, last) if fixes else ()),
            *(await advice_actions(session, *placed, first, last) if fixes else ()),
            *(await budget_actions(session, *placed, first, last) if others else ()),
        ]

    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor]
    options = types.CodeActionOptions(code_action_kinds=kinds)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(guarded(code_action, template("The quick fixes")))


async def _padding_actions(
    session: Session, document: Document, run: LoadedRun, drift: DocumentDrift, first: int, last: int
) -> Sequence[types.CodeAction]:
    """The fixes of the padding on some 1-based lines of a document."""
    costs = session.costs.of(run)
    if costs is None:
        return ()
    edited = session.edited_sizes.of(run)
    findings = [each for each in padding_findings(drift, costs, session.settings, edited) if first <= each.line <= last]
    if not findings:
        return ()
    profile = await session.loading.profile(run.path, run.identity)
    find_shapes = functools.partial(_shapes, profile)
    known = await session.cache.get(Key("array shapes", run.path, run.identity), find_shapes)
    files = (*run.sources.files, *(line.file for line in run.record.lines if line.file is not None))
    texts = await session.placements.texts(run, files)
    find = functools.partial(_find_all, findings, run, costs, known, texts)
    return [_action(session, document, costs, *each) for each in await session.work.quick(find)]


def _find_fixes(
    finding: PaddingFinding, run: LoadedRun, costs: LineCosts, known: "ArrayShapes", sources: "_Sources"
) -> Iterator[SizeFix]:
    """A fix for every padded dimension of a finding whose size is provably one number of the run's sources.

    That is proven with the sources as they were recorded. In the present ones it must still be the only such number, be
    nothing but a size that can change alone, and be written for the same; and no product or array of the run may fit
    worse with the new size.
    """
    rows = (finding.row, *finding.others)
    # The dimension of a size that is in the worst padding comes first.
    dimensions: dict[int, DimensionPadding] = {}
    for each in itertools.chain.from_iterable(map(padded_dimensions, rows)):
        dimensions.setdefault(each.size, each)
    for dimension in dimensions.values():
        size, new_size = dimension.size, next_multiple(dimension.size, costs.fitting_tile(dimension))
        if not is_worth_offering(size, new_size):
            continue
        proven, literal = sources.then.of_dimension(size, known), sources.now.written_once(size, known)
        if proven is None or literal is None or not _is_as_recorded(literal, proven, run, sources):
            continue
        resizings = resize(costs.padding_rows, size, new_size)
        if not fits_better(resizings):
            continue
        is_as_measured = all(each.size not in finding.edited for row in rows for each in row.dims)
        best = _most_gained(resizings, finding.row) if is_as_measured else None
        yield SizeFix(sources.paths[literal.file], literal, size, new_size, best, rows=_better(resizings))


def _find_all(
    findings: Sequence[PaddingFinding],
    run: LoadedRun,
    costs: LineCosts,
    known: "ArrayShapes",
    texts: Mapping[str, tuple[str, Sequence[str]]],
) -> list[tuple[PaddingFinding, SizeFix, Sequence[str]]]:
    found: dict[tuple[SizeLiteral, int], tuple[PaddingFinding, SizeFix, Sequence[str]]] = {}
    sources = _Sources.of(run, texts)
    for finding in findings:
        for fix in _find_fixes(finding, run, costs, known, sources):
            # Several lines, and several dimensions of one product, may have the same size.
            found.setdefault((fix.literal, fix.new_size), (finding, fix, sources.lines[fix.literal.file]))
    return list(found.values())


def _action(
    session: Session,
    document: Document,
    costs: LineCosts,
    finding: PaddingFinding,
    fix: SizeFix,
    lines: Sequence[str],
) -> types.CodeAction:
    return types.CodeAction(
        title=fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(finding, document, session.documents, costs)],
        edit=_edit(session, fix, lines),
    )


def _edit(session: Session, fix: SizeFix, lines: Sequence[str]) -> types.WorkspaceEdit:
    literal = fix.literal
    units = session.documents.codec.client_num_units
    source = lines[literal.line - 1]
    where = types.Range(
        types.Position(literal.line - 1, units(source[: literal.start])),
        types.Position(literal.line - 1, units(source[: literal.end])),
    )
    description = text(
        "1 product or array fits better" if fix.rows == 1 else "{number} products and arrays fit better",
        number=fix.rows,
    )
    edit = types.TextEdit(where, literal.written(fix.new_size))
    return workspace_edit(session, fix.path, [edit], _ANNOTATION, fix.title, description)


def _is_as_recorded(literal: SizeLiteral, proven: SizeLiteral, run: LoadedRun, sources: _Sources) -> bool:
    """Whether a number is the one that was proven, in a file of which the run keeps a copy.

    One without a name is where its line is the same.
    """
    recorded = run.sources.lines(literal.file)
    if recorded is None or (literal.file, literal.name) != (proven.file, proven.name):
        return False
    return literal.name is not None or sources.lines[literal.file][literal.line - 1] == recorded[proven.line - 1]


def _most_gained(resizings: Sequence[Resizing], row: PaddingRow) -> Resizing:
    """Of what is padded on the line of ``row``, that of which the most time is used better."""
    here = [
        each for each in resizings if (each.row.file, each.row.path, each.row.line) == (row.file, row.path, row.line)
    ]
    return max(here, key=lambda each: (each.row.self_ps or 0) * (1 - each.used_before_ratio / each.used_after_ratio))


def _better(resizings: Sequence[Resizing]) -> int:
    return sum(each.used_after_ratio > each.used_before_ratio for each in resizings)


def _wants(only: Sequence[str] | None, kind_wanted: types.CodeActionKind) -> bool:
    """Whether a kind is among those that are asked for."""
    wanted = kind_wanted.value
    return not only or any(wanted == kind or wanted.startswith(f"{kind}.") or kind == "" for kind in only)


def _shapes(profile: "Profile") -> "ArrayShapes":
    from scopelight.analysis.padding.array_shapes import array_shapes  # noqa: PLC0415 (it takes a second to import)

    return array_shapes(profile)
