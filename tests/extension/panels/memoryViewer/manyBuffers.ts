import type { MemoryBuffer, MemoryViewerRecord, ViewAnswer } from '../../../../extension/src/protocol';
import { aBuffer, KIB, memoryView } from './madeMemory';

const OPCODES = ['fusion', 'dot', 'reduce', 'copy', 'custom-call'];
const FEW = 8;

/**
 * A program whose buffers are made one after the other, each 64 to 1,088 KiB large and some of them padded: all are
 * alive at the peak, and the last made goes first. The memory has room for `capacity_ratio` times the peak.
 */
export function manyBuffers(buffers: number, capacity_ratio: number): ViewAnswer<MemoryViewerRecord> {
  const made = Array.from({ length: buffers }, (_, at): MemoryBuffer => {
    const opcode = OPCODES[at % OPCODES.length] ?? '';
    const unpadded_bytes = 64 * KIB * (1 + ((at * 7919) % 17));
    return aBuffer(`${opcode}.${String(at)}`, {
      opcode,
      category: at % FEW === 0 ? 'parameter' : 'temporary',
      unpadded_bytes,
      bytes: at % 3 === 0 ? 2 * unpadded_bytes : unpadded_bytes,
      op_name: `jit(step)/layer_${String(at % 24)}/${opcode}`,
      path: 'model.py',
      file: '/w/model.py',
      line: 10 + (at % 90),
      function: 'block',
      start: at,
      end: 2 * buffers - at,
      offset_bytes: at * 2 * 1088 * KIB,
    });
  });
  const bytes = [0];
  const unpadded_bytes = [0];
  for (let step = 0; step < 2 * buffers; step += 1) {
    const isMade = step < buffers;
    const buffer = made[isMade ? step : 2 * buffers - 1 - step];
    const sign = isMade ? 1 : -1;
    bytes.push((bytes.at(-1) ?? 0) + sign * (buffer?.bytes ?? 0));
    unpadded_bytes.push((unpadded_bytes.at(-1) ?? 0) + sign * (buffer?.unpadded_bytes ?? 0));
  }
  const peak_bytes = bytes[buffers] ?? 0;
  const { run, record } = memoryView();
  const names = made.map(({ name }) => name);
  const ops = [...names, ...names.toReversed(), ''];
  return {
    run,
    devices: [],
    hosts: [],
    record: {
      ...record,
      peak_bytes,
      peak_unpadded_bytes: unpadded_bytes[buffers] ?? 0,
      peak_position: buffers - 1,
      totals: record.totals && { ...record.totals, capacity_bytes: capacity_ratio * peak_bytes },
      timeline: { bytes, unpadded_bytes, ops },
      execution: {
        positions: ops.slice(0, -1).map((_, at) => at),
        bytes: bytes.slice(1),
        unpadded_bytes: unpadded_bytes.slice(1),
        ops: ops.slice(0, -1),
        phases: [
          { phase: 'forward', start: 0, end: buffers },
          { phase: 'backward', start: buffers, end: 2 * buffers },
        ],
        forward_start: 0,
        backward_end: 2 * buffers,
      },
      buffers: made,
      lifetimes: {
        id: made.map(({ id }) => id),
        name: names,
        op_key: made.map(({ op_key }) => op_key),
        allocation: made.map(({ allocation }) => allocation),
        offset_bytes: made.map(({ offset_bytes }) => offset_bytes),
        bytes: made.map((each) => each.bytes),
        start: made.map(({ start }) => start),
        end: made.map(({ end }) => end),
      },
    },
  };
}
