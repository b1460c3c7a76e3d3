// What the Memory Viewer shows of a program, and what can be done with it: one for all parts of the page.

import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { MemoryViewerRecord, ViewAnswer } from '../../../src/protocol';
import type { Span } from '../../shared/charts/span';
import { lineText } from '../../shared/op/words';
import { useDetails } from '../../shared/page/details';
import { usePage } from '../../shared/page/page';
import { tableState } from '../../shared/table/tableState';
import { allocationMap } from './blocks';
import { bufferIndex, type FocusedBuffer, largestOfOp, withBuffers } from './bufferIndex';
import { estimateMark, inProgramOrder, largestOfLine, meantProgram, selectionOf } from './buffers';
import { curveOf, executionOf, ownBytes, pointOf, positionOf, type ViewName } from './curveData';
import { keepOnlyOf, type PositionFocus, viewerState } from './state';

export type Viewer = ReturnType<typeof useViewer>;

export function useViewer({ record, run }: ViewAnswer<MemoryViewerRecord>) {
  const { host, saved } = usePage();
  const state = viewerState(saved);
  keepOnlyOf(state, JSON.stringify([run.path, record.program_id, record.memory_space]));
  const rows = tableState(saved, 'buffers', { column: 'size', descending: true });
  const [hovered, setHovered] = useState<FocusedBuffer | null>(null);
  /** What is selected in other panels and has no buffer here. */
  const [missing, setMissing] = useState<string | null>(null);

  const view: ViewName =
    state.view.value === 'execution' && executionOf(record) === null ? 'program' : state.view.value;
  const curve = useMemo(() => curveOf(record, view === 'execution' ? 'execution' : 'program'), [record, view]);
  const own = useMemo(() => ownBytes(record.lifetimes), [record]);
  const only = state.allocation.value;
  const map = useMemo(() => allocationMap(record, only), [record, only]);
  const listed = state.listed.value;
  const live = useDetails(
    'memoryAt',
    listed === null
      ? null
      : { position: listed.position, program: record.program_id, memory_space: record.memory_space },
  );
  const buffers = useMemo(
    () => (listed === null || live.value === null ? record.buffers : inProgramOrder(live.value.buffers)),
    [record, listed === null, live.value],
  );
  const atThePeak = useMemo(() => bufferIndex(record), [record]);
  const index = useMemo(() => withBuffers(atThePeak, buffers), [atThePeak, buffers]);
  const pinned = index.get(state.pinned.value ?? '') ?? null;
  const picked =
    listed === null
      ? null
      : curve.kind === 'execution' && listed.execution !== null
        ? listed.execution.point
        : pointOf(curve, listed.position);
  // What was pointed at in another record is nowhere any more.
  useEffect(() => {
    setHovered(null);
  }, [record]);

  const selected = JSON.stringify([host.facts.value?.selection, host.facts.value?.selectionGeneration]);
  /** The selection that a program was last chosen for or in spite of: what a person then chooses stays chosen. */
  const chosenFor = useRef<string | null>(null);
  const choose = (program_id: string | null, memory_space: number | null): void => {
    chosenFor.current = selected;
    state.chosen.value = { run: run.path, program_id, memory_space };
  };
  /** Keeps the card of a buffer, here alone; of none that is here, `sought` says what was looked for. */
  const keep = (id: string | null, sought: string | null = null): void => {
    setHovered(null);
    setMissing(id === null ? sought : null);
    state.pinned.value = id;
    rows.selected.value = id;
  };
  const list = (position: number, execution: PositionFocus['execution'] = null): void => {
    keep(null);
    state.listed.value = { position, execution };
  };
  return {
    record,
    state,
    rows,
    view,
    curve,
    own,
    map,
    /** What stands before a number. */
    mark: estimateMark(record),
    /** The position whose live buffers are listed, the point that shows it, and what is alive there. */
    listed,
    picked,
    live,
    /** The buffers that are listed. */
    buffers,
    hovered,
    /** The buffer whose card stays. */
    pinned,
    missing,
    /** The part of the axis that is shown. */
    shown: state.shown.value[view],
    onShow: (span: Span | null): void => {
      state.shown.value = { ...state.shown.value, [view]: span };
    },
    choose,
    keep,
    /** Keeps the card of a buffer, and selects it in every panel. */
    pin: (id: string): void => {
      keep(id);
      const buffer = index.get(id)?.buffer ?? null;
      const selection = buffer === null ? null : selectionOf(buffer);
      if (selection !== null) {
        host.select(selection);
      }
    },
    list,
    listPoint: (point: number): void =>
      list(positionOf(curve, point), curve.kind === 'execution' ? { point, op: curve.ops[point] ?? '' } : null),
    /** From a card back to what is listed, from that to the peak. */
    leave: (): void => {
      if (state.pinned.value === null) {
        state.listed.value = null;
      }
      keep(null);
    },
    hover: (id: string | null): void => setHovered(index.get(id ?? '') ?? null),
    /** Goes to the line of a buffer. */
    go: (id: string): boolean => {
      const buffer = index.get(id)?.buffer ?? null;
      return buffer !== null && host.goToLineOf(buffer);
    },
    /** Shows what another panel selected. */
    follow: (selection: Selection): void => {
      if (selection.kind === 'line') {
        const { file, line } = selection;
        keep(largestOfLine(record.buffers, file, line)?.id ?? null, lineText(file, line));
        return;
      }
      const meant = meantProgram(record, selection);
      if (meant === null) {
        return;
      }
      if (meant.program_id !== record.program_id) {
        if (chosenFor.current !== selected) {
          choose(meant.program_id, null);
        }
      } else if (meant.op_key !== null) {
        keep(largestOfOp(index, meant.op_key)?.id ?? null, l10n.t('the selected op'));
      }
    },
  };
}
