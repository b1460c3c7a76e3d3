"""The graph of a program of one run as entries that can be compared: its lines by phase, and its scopes."""

from collections.abc import Collection, Mapping, Sequence

from scopelight.analysis.compare.entries import Entry, shared_out
from scopelight.analysis.compare.tables.line import divisor
from scopelight.analysis.compare.tables.op import op_table
from scopelight.analysis.compare.trees.side import TreeEntry
from scopelight.analysis.graph.lines import line_node_key
from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.graph.programs import GraphedProgram, Programs, programs_of
from scopelight.analysis.graph.scopes.tree import Group, ScopeTree
from scopelight.analysis.graph.view import scopes_of
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.ops.views import ops
from scopelight.analysis.options import Scope
from scopelight.analysis.records import PHASE_NAMES
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.charging import apportion
from scopelight.analysis.totals.keys import function_name, program_base
from scopelight.formats.columns import distinct_values
from scopelight.program.hlo.frames import Frame

UNATTRIBUTED = "unattributed"


def program_in(subject: Subject, scope: Scope, wanted: tuple[str, str] | None) -> tuple[str, str] | None:
    """Key and name of the program of this run that one of another run is, given by both; without one None."""
    centre = centre_of(subject.profile, subject.line_options)
    records = programs_of(subject, centre.scoped(scope)).records
    if wanted is None:
        return None
    by_key = [each for each in records if each.key == wanted[0]]
    by_name = [each for each in records if program_base(each.name) == program_base(wanted[1])]
    return next(((each.key, each.name) for each in (*by_key, *by_name)), None)


def programs_in(subject: Subject, scope: Scope, device: str | None) -> Programs:
    """The programs that can be chosen."""
    centre = centre_of(subject.profile, subject.line_options)
    return programs_of(subject, centre.scoped(scope, device))


def line_entries(subject: Subject, scope: Scope, device: str | None, program: str | None) -> list[TreeEntry]:
    """Every line in a phase, of one program by its key or of all, and what no line is charged with."""
    centre = centre_of(subject.profile, subject.line_options)
    scoped = centre.scoped(scope, device)
    sums, cpu = scoped.totals.by_op(), scoped.cpu
    times: dict[tuple[str, int, int] | None, int] = {None: 0}
    cores: dict[tuple[str, int, int] | None, int] = {None: 0}
    frames: dict[tuple[str, int, int], Frame] = {}
    for row in distinct_values(scoped.totals.op).tolist():
        if program is not None and _program_key(centre, row) != program:
            continue
        shares = centre.parts[row]
        weights = [share.weight for share in shares]
        parts = apportion(int(sums.self_ps[row]), weights)
        on_cores = apportion(int(cpu.of_op_ps[row]) if cpu is not None else 0, weights)
        for share, part_ps, cpu_ps in zip(shares, parts, on_cores, strict=True):
            user = centre.frames.of(share.stack)
            place = (user[0].path, user[0].line, share.phase) if user else None
            if place is not None:
                frames.setdefault(place, user[0])
            times[place] = times.get(place, 0) + part_ps
            cores[place] = cores.get(place, 0) + cpu_ps
    steps = divisor(scoped.extent)
    return [
        TreeEntry(
            key=UNATTRIBUTED if place is None else line_node_key(centre, frames[place], place[2]),
            parent=None,
            kind="rest" if place is None else "line",
            found_by=_rest() if place is None else _line(centre, frames[place], place[2]),
            own=own,
            cpu_ps=None if cpu is None else round(cores[place] / steps),
        )
        for place, own in zip(times, shared_out(list(times.values()), steps), strict=True)
    ]


def _program_key(centre: Centre, row: int) -> str | None:
    op = centre.executions.ops[row]
    if op.program < 0:
        return None
    of = centre.executions.programs[op.program]
    return centre.program_key(of.program_id, of.name)


def _rest() -> Entry:
    return Entry(key=UNATTRIBUTED, kind="rest", label=UNATTRIBUTED, identities=(UNATTRIBUTED,))


def _line(centre: Centre, frame: Frame, phase: int) -> Entry:
    place = centre.frames.place_fields(frame)
    return Entry(
        key=centre.line_key(frame),
        kind="scope",
        label=f"{(place['path'] or '').rpartition('/')[2]}:{frame.line}",
        identities=((phase, function_name(frame.function)), (phase,)),
        **place,
        function=frame.function,
        phase=PHASE_NAMES[phase],
    )


def scope_entries(
    subject: Subject, scope: Scope, device: str | None, program: str, opened: Collection[str]
) -> list[TreeEntry]:
    """The scopes of a program by its key, and what is in those that are ``opened``, by theirs."""
    found = scopes_of(subject, GraphOptions(program=program, device=device, scope=scope))
    if found is None:
        return []
    graphed, figures, tree = found
    groups = list(_opened(tree, opened))
    own = [0 if is_open else figures.of_all(group.rows).self_ps or 0 for group, _, is_open in groups]
    steps = divisor(centre_of(subject.profile, subject.line_options).scoped(scope, device).extent)
    entry_of = {entry.key: entry for entry in op_table(subject, scope).entries}
    cores = {row.key: row.cpu_ps for row in ops(subject, OpsOptions(device, scope=scope)).rows}
    return [
        TreeEntry(
            key=group.key,
            parent=parent,
            kind="op" if group.is_op else "scope",
            found_by=_group(graphed, group, entry_of),
            own=time_ps,
            cpu_ps=0 if is_open else _on_cores(graphed, group, cores, steps),
        )
        for (group, parent, is_open), time_ps in zip(groups, shared_out(own, steps), strict=True)
    ]


def _opened(tree: ScopeTree, opened: Collection[str]) -> Sequence[tuple[Group, str | None, bool]]:
    """The groups that are shown, each after the one that it is in, whose key is its second."""
    found: list[tuple[Group, str | None, bool]] = []
    pending: list[tuple[Group, str | None]] = [(each, None) for each in tree.inside(tree.root)]
    for group, parent in pending:
        is_open = group.can_open and group.key in opened
        found.append((group, parent, is_open))
        if is_open:
            pending.extend((each, group.key) for each in tree.inside(group))
    return found


def _group(program: GraphedProgram, group: Group, entry_of: Mapping[str, Entry]) -> Entry:
    first = group.rows[0]
    if not group.is_op:
        return Entry(
            key=group.name,
            kind="scope",
            label=group.name,
            identities=(("scope", group.name), ("scope", "".join(each for each in group.name if not each.isdigit()))),
        )
    known = entry_of.get(program.key_of(first))
    if known is not None:
        return known
    each = program.instruction(first)
    kind = (each.opcode, each.op_name.rpartition("/")[2])
    return Entry(key=group.key, kind="op", label=group.name, identities=(kind,))


def _on_cores(program: GraphedProgram, group: Group, cores: Mapping[str, int | None], steps: int) -> int | None:
    """The CPU time of the ops of a group that ran by themselves; None where it is not known of one that did."""
    known = [cores[key] for key in map(program.key_of, group.rows) if key in cores]
    return None if any(each is None for each in known) else round(sum(each or 0 for each in known) / steps)
