"""Programs made by hand, with buffer assignments, and profiles that hold them."""

from pathlib import Path

from hypothesis import strategies as st

from scopelight.formats.hlo import hlo_pb2
from scopelight.model.backends.tables import Tables, finish
from scopelight.model.profile import Profile
from scopelight.program.stored import StoredProgram

F32 = 11
TUPLE = 13
FILES = ("/w/train.py", "/w/model.py", "/usr/lib/python3.11/site-packages/jax/numpy.py")
OP_NAMES = ("jit(step)/jvp(loss)/mul", "jit(step)/transpose(jvp(loss))/mul", "jit(step)/adam/add", "")


class MadeProgram:
    """A program that is put together by instruction, with a buffer for each, in the order in which they run."""

    def __init__(self, name="jit_step"):
        self.proto = hlo_pb2.HloProto()
        self.module = self.proto.hlo_module
        self.module.name = name
        self.module.entry_computation_id = 1
        self.computation = self.module.computations.add(name="main", id=1)
        self.assignment = self.proto.buffer_assignment
        self._next_allocation = 0
        self._frames = {}

    def instruction(self, opcode, elements, *operands, op_name="", place=None, parameter_number=0):
        """An instruction with an array of so many numbers; ``place`` is the file and line that it is of."""
        identifier = len(self.computation.instructions) + 1
        made = self.computation.instructions.add(name=f"{opcode}.{identifier}", opcode=opcode, id=identifier)
        made.shape.element_type = F32
        made.shape.dimensions.append(elements)
        made.shape.layout.minor_to_major.append(0)
        made.operand_ids.extend(operands)
        made.metadata.op_name = op_name
        made.parameter_number = parameter_number
        if place is not None:
            made.metadata.stack_frame_id = self._frame(place)
        self.assignment.logical_buffers.add(id=identifier, size=4 * elements, color=0)
        self.assignment.logical_buffers[-1].defined_at.instruction_id = identifier
        return identifier

    def allocation(self, size, *buffers, **flags):
        """An allocation of these buffers, each with its offset."""
        made = self.assignment.buffer_allocations.add(index=self._next_allocation, size=size, color=0, **flags)
        self._next_allocation += 1
        for buffer, offset in buffers:
            made.assigned.add(logical_buffer_id=buffer, offset=offset, size=self.size(buffer))
        return made

    def size(self, buffer):
        return self.assignment.logical_buffers[buffer - 1].size

    def trace(self, *events):
        """A heap trace; each event is ALLOC (0) or FREE (1) and the buffer."""
        made = self.assignment.heap_simulator_traces.add(whole_module_simulation=True)
        for kind, buffer in events:
            made.events.add(kind=kind, buffer_id=buffer)

    def finish(self, root):
        self.computation.root_id = root
        return self.proto

    def _frame(self, place):
        if place not in self._frames:
            index = self.module.stack_frame_index
            index.file_names.append(place[0])
            index.function_names.append("step")
            index.file_locations.add(file_name_id=len(index.file_names), function_name_id=1, line=place[1])
            index.stack_frames.add(file_location_id=len(index.file_locations))
            self._frames[place] = len(index.stack_frames)
        return self._frames[place]


def profile_of(*protos, ids=None):
    """A profile of compiled programs alone."""
    executions, runs = finish(Tables(), 0)
    programs = [
        StoredProgram(proto.hlo_module.name, ids[row] if ids else "", "made", lambda proto=proto: proto)
        for row, proto in enumerate(protos)
    ]
    return Profile(Path("made"), executions, runs, [each.module() for each in programs], 0, programs=programs)


@st.composite
def programs(draw):
    """A program of some arguments and instructions, with a valid plan of its memory."""
    made = MadeProgram()
    places = st.none() | st.tuples(st.sampled_from(FILES), st.integers(1, 5))
    sizes = st.sampled_from((0, 1, 3000, 5000, 1 << 20))
    buffers = []
    for number in range(draw(st.integers(1, 3))):
        elements, place = draw(sizes), draw(places)
        argument = made.instruction("parameter", elements, parameter_number=number, place=place)
        made.allocation(
            made.size(argument), (argument, 0), is_entry_computation_parameter=True, parameter_number=number
        )
        buffers.append(argument)
    arguments = len(buffers)
    for _ in range(draw(st.integers(1, 10))):
        operands = draw(st.lists(st.sampled_from(buffers), min_size=1, max_size=3))
        op_name, place = draw(st.sampled_from(OP_NAMES)), draw(places)
        buffers.append(made.instruction("add", draw(sizes), *operands, op_name=op_name, place=place))
    temporaries, output = buffers[arguments:-1], buffers[-1]
    made.allocation(made.size(output), (output, 0), maybe_live_out=True)
    last = {buffer: buffer for buffer in temporaries}
    for each in made.computation.instructions:
        last.update({operand: each.id for operand in each.operand_ids if operand in last})
    events = []
    for buffer in buffers[arguments:]:
        events += [(0, buffer)] if buffer in last else []
        events += [(1, each) for each in temporaries if last[each] == buffer]
    if temporaries:
        offset, assigned = 0, []
        for buffer in temporaries:
            assigned.append((buffer, offset))
            offset += made.size(buffer)
        made.allocation(offset, *assigned)
        made.trace(*events)
    return made.finish(output)
