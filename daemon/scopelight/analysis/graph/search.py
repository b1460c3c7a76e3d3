"""Search: the ops of a program by what people know of them, inside fusions and loops too."""

from collections.abc import Sequence

from scopelight.analysis.graph.neighbourhood import where_to_stand
from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.graph.records import GraphHit
from scopelight.analysis.ops.scopes import scope_of
from scopelight.analysis.records import PHASE_NAMES
from scopelight.analysis.totals.names import shape_text
from scopelight.program.graph.glue import OPENED

MOST_HITS = 200
"""A person steps through fewer."""


class Search:
    """What the ops of a program are found by, written down once."""

    def __init__(self, program: GraphedProgram) -> None:
        self._program = program
        self._rows: list[int] = []
        self._texts: list[str] = []
        module = program.module
        shapes: dict[int, str] = {}
        places: dict[int, str] = {}
        scopes: dict[str, str] = {}
        # Functions of an element, as reductions call them, are no ops that a graph shows.
        reached = module.reached([module.entry], OPENED)
        for row, node in enumerate(program.graph.node.tolist()):
            each = module.instructions[row]
            if node < 0 or each.computation not in reached:
                continue
            shape = shapes.get(id(each.shape))
            if shape is None:
                shape = shapes[id(each.shape)] = shape_text(each.shape)
            place = places.get(id(each.stack))
            if place is None:
                place = places[id(each.stack)] = self._place(row)
            scope = scopes.get(each.op_name)
            if scope is None:
                scope = scopes[each.op_name] = "/".join(scope_of(each.op_name))
            self._rows.append(row)
            parts = (each.name, each.opcode, shape, each.custom_call_target, place, scope, each.op_name)
            self._texts.append("\n".join(parts).lower())

    def rows(self, text: str) -> Sequence[int]:
        """The ops that have all words of a text in what they are found by, those of that very name or opcode first."""
        words = text.lower().split()
        if not words:
            return ()
        found = [row for row, each in zip(self._rows, self._texts, strict=True) if all(word in each for word in words)]
        whole = text.strip().lower()
        instructions = self._program.module.instructions
        node = self._program.graph.node
        ranked = sorted(
            found,
            key=lambda row: (
                instructions[row].name.lower() != whole,
                instructions[row].opcode != whole,
                instructions[row].computation not in self._program.running,
            ),
        )
        return list(dict.fromkeys(int(node[row]) for row in ranked))

    def hit(self, row: int) -> GraphHit:
        """What a search says of an op that it found."""
        program = self._program
        each = program.instruction(row)
        frame = program.line_of(row)
        _, opened = where_to_stand(program, row)
        return GraphHit(
            key=program.key_of(row),
            name=each.name,
            opcode=each.opcode,
            shape=shape_text(each.shape),
            scope="/".join(scope_of(each.op_name)),
            **program.centre.frames.place_fields(frame),
            phase=PHASE_NAMES[program.phase_of(row)],
            breadcrumbs=program.breadcrumbs(row),
            open=tuple(map(program.key_of, opened)),
        )

    def _place(self, row: int) -> str:
        """The lines of an op's stack, as people write them."""
        frames = self._program.centre.frames
        user = frames.of(self._program.module.instructions[row].stack)
        return " ".join(f"{frames.file(each.path).path}:{each.line} {each.function}" for each in user)
