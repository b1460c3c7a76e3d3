"""Stable keys: what names programs, lines, functions and ops in every view of a run, and in another run of the code.

A key is opaque: a digest of what an edit elsewhere, a recompilation, other sizes and another jax leave as it is. Two
things of one run never share one. Hosts that run the same programs give the same things the same keys.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from scopelight.analysis.totals.attribution import Attribution
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.analysis.totals.names import kind_of_name, kind_of_op, main_instruction
from scopelight.analysis.totals.shares import Shares
from scopelight.formats.groups import least_by
from scopelight.model.executions import Executions, Op
from scopelight.program.cost.rates import BackendRates
from scopelight.program.hlo.frames import Frame, Stack
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.phases.phase import Phase
from scopelight.program.phases.phases import phase_of_name

try:
    # Where hashlib has it from; hashlib itself loads OpenSSL first, which takes longer than all digests of a profile.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

_CALLING = frozenset(("while", "conditional", "call", "async-start", "async-update", "async-done"))
"""Opcodes whose called computations' instructions are ops of their own."""
_GIVEN = frozenset(("parameter", "constant"))
"""Opcodes of what other instructions' lines did not make."""
_NUMBER_OF_PROGRAM = re.compile(r"\(\d+\)$|\.\d+$")
_NO_NAME = re.compile(r"\W")
"""What jax replaces in the name of a function that it compiles, such as ``<lambda>``."""
_COMMENT = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|#.*""")
_DIGEST_BYTES = 8

Base = tuple[str, ...]
"""What a key is made of without the ordinal that tells equals apart."""


def digest(*parts: object) -> str:
    """The key that is made of some parts."""
    return blake2b("\0".join(map(str, parts)).encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()


class ProgramKeys:
    """Keys of programs: the name, whether it holds a backward pass, the line that calls for it where it is a library's,
    and which it is of such, by first appearance.

    What a library compiles for lines of the set-up goes by the same names as what it compiles for the steps, and is
    not in every window.
    """

    def __init__(
        self,
        executions: Executions,
        attribution: Attribution,
        stored: Iterable[tuple[str, str]],
        lines: "LineKeys",
    ) -> None:
        """``stored`` are ids and names of programs that the profile holds, whether they ran or not."""
        program_of_op = np.array([op.program for op in executions.ops], np.int64)
        first_ps = np.full(len(executions.programs) + 1, np.iinfo(np.int64).max)
        np.minimum.at(first_ps, program_of_op, least_by(executions.op, len(executions.ops), executions.start_ps))
        backward = attribution.op[attribution.phase == Phase.BACKWARD]
        trains = set(program_of_op[backward].tolist())
        by_start = np.argsort(first_ps[:-1], kind="stable").tolist()
        places = _callers(executions, lines)
        names = [
            (executions.programs[row].program_id, executions.programs[row].name, row in trains, places[row])
            for row in by_start
        ]
        numbers: dict[Base, int] = {}
        self._keys: dict[tuple[str, str], str] = {}
        self._of_id: dict[str, str] = {}
        for program_id, name, does_train, place in (*names, *((*each, False, ()) for each in stored)):
            if (program_id, name) in self._keys or (program_id and program_id in self._of_id):
                continue
            base = ("program", program_base(name), str(does_train), *place)
            numbers[base] = numbers.get(base, 0) + 1
            key = self._keys[program_id, name] = digest(*base, numbers[base])
            if program_id:
                self._of_id[program_id] = key

    def of(self, program_id: str, name: str) -> str:
        """The key of a program; one that the profile does not name goes by its name alone."""
        known = self._keys.get((program_id, name)) or self._of_id.get(program_id)
        return known or digest("program", program_base(name))


class LineKeys:
    """Keys of lines and functions: the function, the text of the line, and which it is of equal ones, from the top."""

    def __init__(self, stacks: Iterable[Stack], frames: UserFrames, text: Callable[[str, int], str | None]) -> None:
        self._frames = frames
        self._text = text
        self._texts: dict[tuple[str, int], str] = {}
        named: dict[tuple[str, int], set[str]] = {}
        for stack in stacks:
            for frame in frames.every(stack):
                named.setdefault((frame.path, frame.line), set()).add(frame.function)
        self._numbers: dict[Base, int] = {}
        self._lines: dict[tuple[str, int], str] = {}
        self._functions: dict[tuple[str, str], str] = {}
        for path, line in sorted(named, key=lambda each: (frames.file(each[0]).path or "", *each)):
            # A lambda and the function around it share a line.
            function = min(map(function_name, named[path, line]), key=lambda name: (name.startswith("<"), name))
            self._lines[path, line] = self._next("line", function, self.text(path, line))
            for each in sorted(named[path, line]):
                self.function(path, each)

    def user(self, stack: Stack) -> Frame | None:
        """The innermost frame of a stack that is the user's."""
        return next(iter(self._frames.of(stack)), None)

    def place(self, frame: Frame) -> tuple[str, str]:
        """What a line is known by in any run: its function, and its text."""
        return function_name(frame.function), self.text(frame.path, frame.line)

    def line(self, frame: Frame) -> str:
        """The key of the line of a frame."""
        place = (frame.path, frame.line)
        if place not in self._lines:
            self._lines[place] = self._next("line", *self.place(frame))
        return self._lines[place]

    def function(self, path: str, qualified: str) -> str:
        """The key of a function of a recorded path."""
        if (path, qualified) not in self._functions:
            self._functions[path, qualified] = self._next("function", function_name(qualified))
        return self._functions[path, qualified]

    def text(self, path: str, line: int) -> str:
        """The text of a line without what means nothing; where it is not known, the names of file and line."""
        place = (path, line)
        if place not in self._texts:
            file = self._frames.file(path)
            text = self._text(file.file, line) if file.file and line > 0 else None
            if text is None:
                self._texts[place] = f"{path.replace(chr(92), '/').rpartition('/')[2]}:{line}"
            else:
                self._texts[place] = " ".join(_COMMENT.sub(r"\1", text).split())
        return self._texts[place]

    def _next(self, *base: str) -> str:
        self._numbers[base] = self._numbers.get(base, 0) + 1
        return digest(*base, self._numbers[base])


class OpKeys:
    """Keys of ops: program, function, text of the line, kind, phase, and which it is of equal ones in program order."""

    def __init__(self, programs: ProgramKeys, lines: LineKeys, shares: Shares, frames: UserFrames) -> None:
        self._programs = programs
        self._lines = lines
        self._shares = shares
        self._frames = frames
        self._of_module: dict[tuple[int, str], dict[int, str]] = {}
        self._modules: list[HloModule] = []
        """Kept, so that no identity is used twice."""

    def of_ops(self, executions: Executions, totals: InstructionTotals) -> Mapping[int, str]:
        """By row of an op that ran its key. What several hosts ran of one program is one op."""
        device = totals.device_of_op.tolist()
        found: dict[int, str] = {}
        identities: dict[str, tuple[str, ...]] = {}
        numbers: dict[tuple[int, Base], int] = {}
        for row in totals.op_rows:
            op, identity = executions.ops[row], totals.ops[row]
            program = self._programs.of(identity.program_id, identity.program)
            if op.module is not None and op.instruction is not None:
                rates = totals.devices[device[row]].rates
                key = self.of_instruction(program, op.module, op.instruction, rates)
            else:
                base = self._base_of_op(program, op)
                numbers[identity.host, base] = number = numbers.get((identity.host, base), 0) + 1
                key = digest(*base, number)
            # One instruction may stand for ops of several names, such as kernels.
            repetition = 1
            wanted = key
            while identities.setdefault(key, identity.of_any_host) != identity.of_any_host:
                repetition += 1
                key = digest(wanted, repetition)
            found[row] = key
        return found

    def of_instruction(self, program: str, module: HloModule, instruction: Instruction, rates: BackendRates) -> str:
        """The key of an instruction of the ``program`` of a key, whether it ran or not."""
        known = self._of_module.get((id(module), program))
        if known is None:
            known = self._of_module[id(module), program] = self._of_program(program, module, rates)
            self._modules.append(module)
        if id(instruction) not in known:
            known.update(self._inside_others(program, module, rates, known))
        return known[id(instruction)]

    def _of_program(self, program: str, module: HloModule, rates: BackendRates) -> dict[int, str]:
        """Of the instructions that are ops of their own."""
        reached = module.reached([module.entry], _CALLING)
        own = [each for each in module.instructions if each.computation in reached]
        return self._numbered((each, self._base(program, module, each, rates)) for each in own)

    def _inside_others(
        self, program: str, module: HloModule, rates: BackendRates, known: Mapping[int, str]
    ) -> dict[int, str]:
        """Of the instructions inside fusions and what else is one op."""
        inside = [each for each in module.instructions if id(each) not in known]
        return self._numbered(
            (each, ("inside", *self._base(program, module, each, rates, own_line_only=True))) for each in inside
        )

    def _numbered(self, bases: Iterable[tuple[Instruction, Base]]) -> dict[int, str]:
        numbers: dict[Base, int] = {}
        keys: dict[int, str] = {}
        for instruction, base in bases:
            numbers[base] = numbers.get(base, 0) + 1
            keys[id(instruction)] = digest(*base, numbers[base])
        return keys

    def _base(
        self,
        program: str,
        module: HloModule,
        instruction: Instruction,
        rates: BackendRates,
        *,
        own_line_only: bool = False,
    ) -> Base:
        main = main_instruction(module, instruction)
        user = self._frames.of(main.stack) or self._frames.of(instruction.stack)
        if user or own_line_only or instruction.opcode in _GIVEN:
            frame = user[0] if user else None
        else:
            frame = self._shares.line(module, instruction, rates)
        phase = self._shares.phase(module, main if main.op_name else instruction, rates)
        return (program, *self._place(frame), kind_of_op(module, main), str(phase))

    def _base_of_op(self, program: str, op: Op) -> Base:
        user = self._frames.of(op.stack)
        kind, phase = kind_of_name(op.name, op.op_name), int(phase_of_name(op.op_name))
        return ("op", program, *self._place(user[0] if user else None), kind, str(phase))

    def _place(self, frame: Frame | None) -> tuple[str, str]:
        return ("", "") if frame is None else self._lines.place(frame)


def _callers(executions: Executions, lines: LineKeys) -> Sequence[tuple[str, ...]]:
    """By program the place of the one line that all of its ops are on; nothing where that line is of the function
    itself that was compiled, or there are several."""
    frames: list[set[Frame]] = [set() for _ in executions.programs]
    for op in executions.ops:
        frame = lines.user(op.stack)
        # An op of no program has the number after the last.
        if frame is not None and 0 <= op.program < len(frames):
            frames[op.program].add(frame)
    found: list[tuple[str, ...]] = []
    for program, of_ops in zip(executions.programs, frames, strict=True):
        # Any other number of lines is none that calls for it.
        (only,) = of_ops if len(of_ops) == 1 else (None,)
        found.append(() if only is None or _is_compiled(program.name, only) else lines.place(only))
    return found


def _is_compiled(program: str, frame: Frame) -> bool:
    """Whether the function of a frame is the one that the program was compiled from, which gave it its name."""
    return program_base(program).endswith(_NO_NAME.sub("_", function_name(frame.function)))


def program_base(name: str) -> str:
    """The name of a program without what tells it from others of its name."""
    return _NUMBER_OF_PROGRAM.sub("", name)


def function_name(qualified: str) -> str:
    """The last part of the name of a function: older versions of jax recorded no more."""
    return qualified.rpartition(".")[2]
