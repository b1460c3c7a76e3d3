"""What xprof computes from a buffer assignment, written from its rules on plain messages, one step after the other.

It is told from ours by its one known error: of a buffer's place in nested tuples only the last step is looked at.
"""

import math

BITS = {1: 8, 2: 8, 3: 16, 4: 32, 5: 64, 6: 8, 7: 16, 8: 32, 9: 64, 10: 16, 11: 32, 12: 64, 15: 64, 16: 16, 18: 128}
TUPLE, POINTER = 13, 8


def unpadded_bytes(shape):
    if shape.element_type == TUPLE:
        return POINTER * len(shape.tuple_shapes)
    return math.prod(shape.dimensions) * BITS.get(shape.element_type, 0) // 8


def instructions_of(proto):
    return [each for computation in proto.hlo_module.computations for each in computation.instructions]


class XprofMemory:
    """The curve, spans and peak of the main memory; ``whole_path`` mends the error."""

    def __init__(self, proto, *, whole_path=False):
        assignment = proto.buffer_assignment
        buffers = {each.id: each for each in assignment.logical_buffers}
        instructions = {each.id: each for each in instructions_of(proto)}

        def unpadded(buffer):
            shape = instructions[buffer.defined_at.instruction_id].shape
            path = list(buffer.defined_at.shape_index)
            for index in path if whole_path else path[-1:]:
                shape = shape.tuple_shapes[index] if index < len(shape.tuple_shapes) else shape
            return unpadded_bytes(shape)

        allocation_of = {
            part.logical_buffer_id: each for each in assignment.buffer_allocations for part in each.assigned
        }
        fixed = [each for each in assignment.buffer_allocations if each.color == 0 and self.is_fixed(each)]
        self.fixed_bytes = sum(each.size for each in fixed)
        largest = [
            max((buffers[part.logical_buffer_id] for part in each.assigned), key=lambda b: b.size) for each in fixed
        ]
        self.bytes = [self.fixed_bytes]
        self.unpadded = [sum(map(unpadded, largest))]
        self.spans, self.names = {}, []
        events = []
        for trace in assignment.heap_simulator_traces:
            if trace.events and self.is_temporary(allocation_of[trace.events[0].buffer_id]):
                events = trace.events
                break
        holders, piece, shown = {}, {}, {}
        for position, event in enumerate(events):
            self.names.append(event.instruction_name)
            change = change_unpadded = 0
            this = event.buffer_id
            if event.kind in (0, 2):
                held = piece[this] = this if event.kind == 0 else piece[event.share_with_canonical_id]
                holders[held] = holders.get(held, 0) + 1
                if holders[held] == 1:
                    change, change_unpadded = buffers[held].size, unpadded(buffers[held])
                    # What was free already is taken anew, in the name of who shares it.
                    shown[held] = this
                    self.spans[this] = (position, len(events))
            else:
                held = piece[this]
                holders[held] -= 1
                if not holders[held]:
                    change, change_unpadded = -buffers[held].size, -unpadded(buffers[held])
                    self.spans[shown[held]] = (self.spans[shown[held]][0], position)
            self.bytes.append(self.bytes[-1] + change)
            self.unpadded.append(self.unpadded[-1] + change_unpadded)

    @staticmethod
    def is_fixed(allocation):
        return allocation.is_entry_computation_parameter or allocation.is_constant or allocation.maybe_live_out

    def is_temporary(self, allocation):
        return allocation.color == 0 and not self.is_fixed(allocation) and not allocation.is_thread_local

    @property
    def peak_unpadded_bytes(self):
        return self.unpadded[self.bytes.index(max(self.bytes))]
