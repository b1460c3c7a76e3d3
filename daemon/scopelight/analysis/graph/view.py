"""The view of the graph: lines by phase, scopes, or the ops around one."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import attrs

from scopelight.analysis.graph.compatibility import with_compatibility
from scopelight.analysis.graph.figures import Figures
from scopelight.analysis.graph.in_place import Edges, nodes_of, opened_in_place
from scopelight.analysis.graph.lines import LinesGraph
from scopelight.analysis.graph.memory import MemoryAtPeak, memory_at_peak
from scopelight.analysis.graph.neighbourhood import neighbours, where_to_stand
from scopelight.analysis.graph.nodes import Nodes, overlays_of
from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.graph.programs import GraphedProgram, Programs, graphed, programs_of
from scopelight.analysis.graph.records import MOST_NODES, Graph, GraphLevel
from scopelight.analysis.graph.route import route_between
from scopelight.analysis.graph.scopes.level import scopes_level
from scopelight.analysis.graph.scopes.tree import ScopeTree
from scopelight.analysis.graph.search import MOST_HITS, Search
from scopelight.analysis.missing_programs import no_program_held, nothing_in_scope, nothing_ran, unsaid, without_room
from scopelight.analysis.options import OptionError
from scopelight.analysis.records import Basis
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.scoped import Scoped
from scopelight.findings import Finding, empty, note, show_view, warning
from scopelight.model.cost.op_cost import OpCosts
from scopelight.phrase import Phrase
from scopelight.program.hlo.calls import RUNNING_OTHERS


def graph(subject: Subject, options: GraphOptions) -> Graph:
    """Nodes and edges of a level of a program, or what a search finds in it.

    Raises `OptionError` where there is no such program, op or device.
    """
    return _View(subject, options).answer()


def scopes_of(subject: Subject, options: GraphOptions) -> tuple[GraphedProgram, Figures, ScopeTree] | None:
    """The scopes of the program that is meant, whatever is opened; None where there is none."""
    return _View(subject, options).scopes()


_USUAL = GraphOptions()


class _View:
    def __init__(self, subject: Subject, options: GraphOptions) -> None:
        self._subject = subject
        self._options = options
        self._profile = subject.profile
        self._centre = centre_of(self._profile, subject.line_options)
        self._scope = options.scope or subject.scope
        self._scoped: Scoped = self._centre.scoped(self._scope, options.device)

    def answer(self) -> Graph:
        options = self._options
        level = options.level or ("ops" if options.op or options.to else "lines")
        for option in ("radius", "hubs") if level != "ops" else ():
            if getattr(options, option) != getattr(_USUAL, option):
                raise OptionError(
                    option, Phrase("This says what is shown around an op: name that, or choose the level of ops.")
                )
        key = self._programs.find(options.program)
        program = self._with_op(graphed(self._subject, self._programs, key)) if key is not None else None
        if level == "lines" and options.program is None:
            return self._searched(self._lines(None), program)
        if program is None:
            return self._record(level, None, findings=(no_program_held(self._profile),))
        if level == "lines":
            found = self._lines(program)
        elif level == "scopes":
            found = self._scopes(program)
        elif options.to is not None:
            found = self._route(program)
        else:
            found = self._ops(program)
        return self._searched(found, program)

    def scopes(self) -> tuple[GraphedProgram, Figures, ScopeTree] | None:
        """What the level of scopes is made of."""
        key = self._programs.find(self._options.program)
        if key is None:
            return None
        program = graphed(self._subject, self._programs, key)
        return program, self._figures(program), self._tree(program)

    @property
    def _programs(self) -> Programs:
        where = ("programs", self._scope, self._options.device)
        return self._subject.once("graph programs", where, lambda: programs_of(self._subject, self._scoped))

    @property
    def _costs(self) -> OpCosts:
        return self._subject.once("graph costs", (), lambda: OpCosts(self._centre.executions))

    @property
    def _basis(self) -> Basis | None:
        if self._centre.static is not None:
            return None
        return "predicted" if self._profile.prediction is not None else "measured"

    def _with_op(self, program: GraphedProgram) -> GraphedProgram:
        """The first program that has the op in the middle, where none was named."""
        op = self._options.op
        if op is None or self._options.program is not None:
            return program
        return next((each for each in self._all_programs() if each.has(op)), program)

    def _memory(self, program: GraphedProgram | None) -> MemoryAtPeak | None:
        if program is None or not self._options.memory:
            return None
        make = partial(memory_at_peak, self._subject, program)
        return self._subject.once("graph memory", program.key, make)

    def _figures(self, program: GraphedProgram) -> Figures:
        memory = self._memory(program)
        where = (program.key, self._scope, self._options.device, memory is not None)
        of_row = memory.of_row if memory is not None else None
        return self._subject.once(
            "graph figures", where, lambda: Figures(program, self._scoped, self._costs, self._basis, of_row)
        )

    def _lines(self, program: GraphedProgram | None) -> Graph:
        shown = [program] if program is not None else self._all_programs()
        # Of all programs the one that is meant without a choice.
        memory = self._memory(shown[0] if shown else None)
        if shown:
            # From the lines one goes on to ops of the largest.
            shown[0].find_all_keys()
        level = LinesGraph(
            self._centre,
            self._scoped,
            self._costs,
            self._basis,
            shown,
            only=program,
            memory=memory.of_line if memory is not None else None,
        ).level()
        ran = self._centre.static is None
        return self._record(
            "lines",
            program,
            nodes=tuple(level.nodes),
            edges=tuple(level.edges),
            op_time_ps=level.op_time_ps if ran else None,
            unattributed_ps=level.unattributed_ps if ran else None,
            left_out=level.left_out,
            findings=() if level.nodes else (self._why_no_line(),),
        )

    def _all_programs(self) -> Sequence[GraphedProgram]:
        return [graphed(self._subject, self._programs, each.key) for each in self._programs.records]

    def _tree(self, program: GraphedProgram) -> ScopeTree:
        figures = self._figures(program)
        timed = [
            row for row in program.ops if program.instruction(row).opcode in RUNNING_OTHERS and figures.of(row).self_ps
        ]
        where = (program.key, self._scope, self._options.device)
        return self._subject.once("graph scopes", where, lambda: ScopeTree(program, timed))

    def _scopes(self, program: GraphedProgram) -> Graph:
        level = scopes_level(program, self._figures(program), self._tree(program), frozenset(self._options.open))
        return self._record(
            "scopes",
            program,
            nodes=tuple(level.nodes),
            edges=tuple(level.edges),
            breadcrumbs=program.breadcrumbs(program.ops[0])[:1] if program.ops else (),
            left_out=level.left_out,
        )

    def _ops(self, program: GraphedProgram) -> Graph:
        options = self._options
        figures = self._figures(program)
        row = self._middle(program, figures)
        if row is None:
            return self._record("ops", program, findings=(empty("program-without-ops", program=program.name),))
        standing, around = where_to_stand(program, row)
        opened = {each for each in map(program.row_of, options.open) if each is not None}
        # One place is kept for what they lie in.
        most = MOST_NODES - 1
        distances, left_out = neighbours(
            program.graph, standing, options.radius, opened, follows_hubs=options.hubs, most=most
        )
        followed = range(len(program.nodes)) if options.hubs else {*opened, standing}
        shown = opened_in_place(program, distances, opened | set(around), most)
        edges = Edges(program, shown)
        makes = Nodes(program, figures)
        nodes = list(nodes_of(program, makes, shown, edges, distances, followed))
        if edges.border is not None:
            nodes.append(makes.op(edges.border, kind="outside", can_open=False))
        return self._record(
            "ops",
            program,
            nodes=tuple(nodes),
            edges=edges.records(),
            breadcrumbs=program.breadcrumbs(row),
            # A function of an element, such as a sum calls, is shown as what calls it.
            center=program.key_of(row if row in shown.parents else standing),
            radius=options.radius,
            left_out=left_out + sum(shown.left_out.values()),
        )

    def _route(self, program: GraphedProgram) -> Graph:
        options = self._options
        assert options.to is not None
        if options.op is None:
            raise OptionError("to", Phrase("A way to an op begins at another: name that as well."))
        start, end = program.row_named(options.op, "op"), program.row_named(options.to, "to")
        route = route_between(program, start, end)
        findings: list[Finding] = []
        if not route.rows:
            findings.append(warning("no-way-between-ops", start=options.op, end=options.to))
        elif not route.is_directed:
            findings.append(note("way-against-the-flow"))
        rows = route.rows or (start, end)
        kept = (*rows[: MOST_NODES - 1], rows[-1]) if len(rows) > MOST_NODES else rows
        shown = opened_in_place(program, kept, ())
        edges = Edges(program, shown)
        keys = tuple(map(program.key_of, kept))
        return self._record(
            "ops",
            program,
            nodes=tuple(nodes_of(program, Nodes(program, self._figures(program)), shown, edges, {})),
            edges=edges.records(),
            breadcrumbs=program.breadcrumbs(start),
            center=program.key_of(start),
            route=keys if route.rows else (),
            left_out=len(rows) - len(kept),
            findings=tuple(findings),
        )

    def _middle(self, program: GraphedProgram, figures: Figures) -> int | None:
        """The op that is asked for, else the one that takes longest, or moves or makes most; None without any."""
        if self._options.op is not None:
            return program.row_named(self._options.op, "op")

        def size(row: int) -> tuple[int, int, int]:
            of_op = figures.of(row)
            return of_op.self_ps or 0, of_op.bytes or 0, -row

        return max(program.ops, key=size, default=None)

    def _searched(self, record: Graph, program: GraphedProgram | None) -> Graph:
        text = self._options.search
        if text is None or program is None:
            return record
        search = self._subject.once("graph search", program.key, lambda: Search(program))
        rows = search.rows(text)
        findings = record.findings if rows else (*record.findings, note("no-op-found", searched=text))
        return attrs.evolve(
            record,
            hits=tuple(search.hit(row) for row in rows[:MOST_HITS]),
            hits_left_out=max(0, len(rows) - MOST_HITS),
            findings=findings,
        )

    def _why_no_line(self) -> Finding:
        executions = self._profile.executions
        if not len(executions):
            return nothing_ran(self._profile)
        number = len(self._scoped.totals.op_rows)
        if not number:
            return nothing_in_scope(self._profile, self._scope)
        return without_room(self._profile) or empty("ops-of-no-line-of-yours", show_view("ops"), ops=number)

    def _record(
        self,
        level: GraphLevel,
        program: GraphedProgram | None,
        *,
        findings: tuple[Finding, ...] = (),
        **fields: Any,  # noqa: ANN401 (of the record)
    ) -> Graph:
        program_id = program.program_id if program is not None else None
        nodes = with_compatibility(fields.pop("nodes", ()), self._subject, self._centre.frames, program_id)
        ran = self._centre.static is None
        op_time_ps = self._scoped.totals.op_time_ps if ran else None
        if program is not None and program.graph.is_cut_off:
            findings = (*findings, warning("graph-cut-off", program=program.name))
        return Graph(
            level=level,
            program=program.key if program is not None else None,
            programs=self._programs.records,
            extent=self._scoped.extent,
            nodes=nodes,
            edges=fields.pop("edges", ()),
            overlays=overlays_of(nodes),
            findings=(*findings, *unsaid(self._centre.findings_of_steps if ran else self._centre.findings, findings)),
            **({"op_time_ps": op_time_ps, "unattributed_ps": None} | fields),
        )
