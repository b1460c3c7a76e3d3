"""Which program a graph is of, and what is found of it once: its edges, the keys of its ops, the ops that have them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import attrs

from scopelight.analysis.graph.records import Breadcrumb, GraphProgram
from scopelight.analysis.options import OptionError
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.scoped import Scoped
from scopelight.formats.columns import distinct_values
from scopelight.model.devices.compiled_for import main_device
from scopelight.phrase import Phrase
from scopelight.program.cost.rates import BackendRates
from scopelight.program.graph.columns import ProgramGraph, callers_of, program_graph
from scopelight.program.graph.glue import OPENED
from scopelight.program.hlo.calls import RUNNING_OTHERS
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.phases.phase import Phase

_MOST_LISTED = 50
"""Of the programs of a profile, where one was asked for that it does not hold."""
_STARTING_OTHERS = RUNNING_OTHERS | {"async-start", "async-update", "async-done"}
"""Opcodes whose called computations' instructions are ops of their own."""


class GraphedProgram:
    """One program of a profile. What takes time is found when it is first asked for."""

    def __init__(self, centre: Centre, module: HloModule, name: str, rates: BackendRates) -> None:
        self.centre = centre
        self.module = module
        self.name = name
        self.program_id = module.program_id
        self.key = centre.program_key(module.program_id, name)
        self.rates = rates

    @cached_property
    def graph(self) -> ProgramGraph:
        """Every computation by itself."""
        return program_graph(self.module)

    @cached_property
    def flow(self) -> ProgramGraph:
        """That of the ops that run by themselves: from a loop's or a branch's surroundings to the ops in it."""
        callers = (row for row, each in enumerate(self.module.instructions) if each.opcode in RUNNING_OTHERS)
        opened = {row for row in callers if self.module.instructions[row].computation in self.running}
        return program_graph(self.module, opened, self.running)

    @cached_property
    def nodes(self) -> Sequence[int]:
        """By row of an instruction the row of the op that it is of, as `ProgramGraph.node` has them."""
        found: list[int] = self.graph.node.tolist()
        return found

    @cached_property
    def _ends(self) -> Mapping[int, Sequence[int]]:
        found: dict[int, list[int]] = {}
        for row, node in enumerate(self.nodes):
            if node >= 0:
                found.setdefault(node, []).append(row)
        return found

    def ends_of(self, row: int) -> Sequence[int]:
        """The rows of the instructions that an op is: of an asynchronous one its start and its end."""
        return self._ends.get(row, ())

    @cached_property
    def running(self) -> frozenset[int]:
        """The computations whose instructions run by themselves."""
        return frozenset(self.module.reached([self.module.entry], _STARTING_OTHERS))

    @cached_property
    def ops(self) -> Sequence[int]:
        """The rows of the ops that run by themselves, in the order of the program, computation by computation."""
        return [
            row
            for computation in sorted(self.running)
            for row in self.module.computations[computation].instructions
            if self.nodes[row] == row
        ]

    def instruction(self, row: int) -> Instruction:
        """The instruction of a row."""
        return self.module.instructions[row]

    def key_of(self, row: int) -> str:
        """The key of the op at a row, which it has in every view."""
        return self.centre.instruction_key(self.key, self.module, self.module.instructions[row], self.rates)

    @cached_property
    def row_of_instruction(self) -> Mapping[int, int]:
        """By the ``id()`` of an instruction its row."""
        return {id(each): row for row, each in enumerate(self.module.instructions)}

    @cached_property
    def _running_keys(self) -> Mapping[str, int]:
        return self._by_key(computation in self.running for computation in range(len(self.module.computations)))

    @cached_property
    def _inner_keys(self) -> Mapping[str, int]:
        return self._by_key(computation not in self.running for computation in range(len(self.module.computations)))

    def _by_key(self, meant: Iterable[bool]) -> Mapping[str, int]:
        return {
            self.key_of(row): self.nodes[row]
            for computation, is_meant in zip(self.module.computations, meant, strict=True)
            for row in (computation.instructions if is_meant else ())
            if self.nodes[row] >= 0
        }

    def row_of(self, key: str) -> int | None:
        """The row of the op of a key; None where the program has none."""
        found = self._running_keys.get(key)
        return found if found is not None else self._inner_keys.get(key)

    def find_all_keys(self) -> None:
        """Find the keys of the ops inside fusions too, which takes longer than an answer about one of them should."""
        _ = self._running_keys, self._inner_keys

    def has(self, name: str) -> bool:
        """Whether it has an op of a key, or of a name."""
        return name in self.module.by_name or self.row_of(name) is not None

    def row_named(self, name: str, option: str) -> int:
        """The row of an op by its key or its name. Raises `OptionError` where the program has none."""
        named = self.module.by_name.get(name)
        found = self.row_of(name) if named is None else self.nodes[self.row_of_instruction[id(named)]]
        if found is None or found < 0:
            raise OptionError(option, Phrase("The program {program} has no op {name}.", program=self.name, name=name))
        return found

    def line_of(self, row: int) -> Frame | None:
        """The line that an op belongs to, or the most of it."""
        return self.centre.shares.line(self.module, self.module.instructions[row], self.rates)

    def phase_of(self, row: int) -> Phase:
        """The phase of an op by itself."""
        return Phase(self.centre.shares.phase(self.module, self.module.instructions[row], self.rates))

    def callers_of(self, row: int) -> Sequence[int]:
        """The rows of the ops that an op lies in, outermost first."""
        return [self.nodes[caller] for caller in callers_of(self.module, row)]

    def inside(self, row: int) -> Sequence[int]:
        """The rows of the ops in what an op calls; none where it cannot be looked into."""
        each = self.module.instructions[row]
        if each.opcode not in OPENED:
            return ()
        return [
            inner
            for called in dict.fromkeys(each.called)
            for inner in self.module.computations[called].instructions
            if self.nodes[inner] == inner and inner != row
        ]

    def breadcrumbs(self, row: int) -> tuple[Breadcrumb, ...]:
        """The way to an op: the program, and what it lies in."""
        way = [Breadcrumb(self.key, self.name)]
        for caller in self.callers_of(row):
            each = self.module.instructions[caller]
            way.append(Breadcrumb(self.key_of(caller), each.name, each.trip_count))
        return tuple(way)


@attrs.frozen(eq=False, repr=False)
class Programs:
    """The programs of a profile, the longest first; of one that did not run the largest."""

    centre: Centre
    records: tuple[GraphProgram, ...]
    _modules: Mapping[str, tuple[HloModule, str, BackendRates]]
    """By key."""

    def find(self, name: str | None) -> str | None:
        """The key of the one that is meant, by its key, id, name, or both; None where there is none at all.

        Raises `OptionError` where there is none of that name.
        """
        if name is None:
            return self.records[0].key if self.records else None
        for words in (lambda each: (each.key,), lambda each: (each.program_id,), _labels):
            found = next((each.key for each in self.records if name in words(each)), None)
            if found is not None:
                return found
        known = ", ".join(_labels(each)[0] for each in self.records[:_MOST_LISTED]) or Phrase("none")
        raise OptionError(
            "program", Phrase("The profile holds no program {name}: there is {known}.", name=name, known=known)
        )

    def make(self, key: str) -> GraphedProgram:
        """The program of a key."""
        module, name, rates = self._modules[key]
        return GraphedProgram(self.centre, module, name, rates)


def programs_of(subject: Subject, scoped: Scoped) -> Programs:
    """The programs that a subject has, with their time in a scope."""
    profile = subject.profile
    centre = centre_of(profile, subject.line_options)
    executions, totals = centre.executions, scoped.totals
    sums, device_of_op = totals.by_op(), totals.device_of_op.tolist()
    time_ps: dict[str, int] = {}
    modules: dict[str, tuple[HloModule, str, BackendRates]] = {}
    for row in distinct_values(totals.op).tolist():
        op = executions.ops[row]
        if op.module is None or op.program < 0:
            continue
        program = executions.programs[op.program]
        key = centre.program_key(program.program_id, program.name)
        if op.has_estimate:
            time_ps[key] = time_ps.get(key, 0) + int(sums.self_ps[row])
        rates = totals.devices[device_of_op[row]].rates
        modules.setdefault(key, (op.module, program.name, rates))
    for module in profile.modules:
        key = centre.program_key(module.program_id, module.name)
        modules.setdefault(key, (module, module.name, main_device(profile).rates))
    ran = centre.static is None
    records = [
        GraphProgram(key, name, module.program_id, len(module.instructions), time_ps.get(key) if ran else None)
        for key, (module, name, _) in modules.items()
    ]
    records.sort(key=lambda each: (-(each.self_ps or 0), -each.instructions))
    return Programs(centre, tuple(records), modules)


def graphed(subject: Subject, programs: Programs, key: str) -> GraphedProgram:
    """A program of a subject, which keeps what was found of all of them."""
    known: dict[str, GraphedProgram] = subject.once("graphs", (), dict)
    found = known.get(key)
    return found if found is not None else known.setdefault(key, programs.make(key))


def _labels(program: GraphProgram) -> Sequence[str]:
    return (f"{program.name} ({program.program_id})" if program.program_id else program.name, program.name)
