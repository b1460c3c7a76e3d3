// The graph of data operations, drawn: boxes from what makes the data to the device, arrows with the queues between.

import * as l10n from '@vscode/l10n';
import { useMemo, useRef } from 'preact/hooks';
import type { InputOperation, InputQueue, InputRecord } from '../../../src/protocol';
import { fillOf, Meter } from '../../shared/charts/cells';
import { Icon } from '../../shared/controls/elements';
import { useSize } from '../../shared/frame/size';
import { count, dotted, share } from '../../shared/text/format';
import { BOX_HEIGHT_PX, type DrawnBox, drawingOf, layoutOf, neighbour } from './graphLayout';
import { certaintyText, heldText, operationKind, operationName, queueKind } from './words';

const PADDING_PX = 4;
const QUEUE_PX = { width: 44, height: 12 };

interface GraphProps {
  readonly record: InputRecord;
  /** The key of the operation that is looked at. */
  readonly looked: string | null;
  readonly onLook: (key: string) => void;
  readonly onGoToLine: (operation: InputOperation) => void;
}

export function Graph(props: GraphProps) {
  return props.record.operations.length === 0 ? null : <DrawnGraph {...props} />;
}

function DrawnGraph({ record, looked, onLook, onGoToLine }: GraphProps) {
  const layout = useMemo(() => layoutOf(record.operations), [record]);
  const element = useRef<HTMLDivElement>(null);
  const section = useRef<HTMLElement>(null);
  const room_px = useSize(section)?.width_px ?? 0;
  const drawing = useMemo(() => drawingOf(layout, room_px - 2 * PADDING_PX), [layout, room_px]);
  const { boxes, width_px: width, height_px: height } = drawing;
  const focused = layout.placed.some(({ operation }) => operation.key === looked)
    ? looked
    : (layout.placed.find(({ operation }) => operation.suspected !== null) ?? layout.placed[0])?.operation.key;
  const go = (key: string, press: string): boolean => {
    const next = neighbour(layout, key, press);
    if (next === null) {
      return false;
    }
    onLook(next.key);
    const box = element.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(next.key)}"]`);
    box?.focus();
    box?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    return true;
  };
  return (
    <section class="graph" ref={section} aria-label={l10n.t('Operations on data')}>
      <div class="graph-canvas" ref={element} style={{ width: `${String(width)}px`, height: `${String(height)}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {boxes.flatMap((to) =>
            boxes
              .filter(({ operation }) => to.operation.inputs.includes(operation.key))
              .map((from) => <Arrow key={`${from.operation.key} ${to.operation.key}`} from={from} to={to} />),
          )}
        </svg>
        {boxes.map((box) => (
          <Box
            key={box.operation.key}
            box={box}
            record={record}
            isLooked={box.operation.key === looked}
            isFocusable={box.operation.key === focused}
            onLook={onLook}
            onGoToLine={onGoToLine}
            onPress={go}
          />
        ))}
        {boxes.map((box) => (
          <QueueMark key={`${box.operation.key} queue`} box={box} queue={queueOf(record, box.operation)} />
        ))}
      </div>
    </section>
  );
}

export function queueOf({ queues }: InputRecord, { queue }: InputOperation): InputQueue | null {
  return queues.find(({ key }) => key === queue) ?? null;
}

function Arrow({ from, to }: { readonly from: DrawnBox; readonly to: DrawnBox }) {
  const [x1, y1] = [from.left_px + from.width_px, from.top_px + BOX_HEIGHT_PX / 2];
  const [x2, y2] = [to.left_px - 2, to.top_px + BOX_HEIGHT_PX / 2];
  // Bent before the next column, right of any queue.
  const middle = x1 + from.across_px - 14;
  const bend =
    from.band !== to.band
      ? // Back to the left between the bands.
        `H ${String(middle)} V ${String(to.above_px)} H ${String(x2 - 14)} V ${String(y2)}`
      : String(y1) === String(y2)
        ? ''
        : `H ${String(middle)} V ${String(y2)}`;
  return (
    <>
      <path class="arrow" d={`M ${String(x1)} ${String(y1)} ${bend} H ${String(x2)}`} />
      <path class="arrow-head" d={`M ${String(x2)} ${String(y2)} l -7 -4 v 8 z`} />
    </>
  );
}

function Box(props: {
  readonly box: DrawnBox;
  readonly record: InputRecord;
  readonly isLooked: boolean;
  readonly isFocusable: boolean;
  readonly onLook: (key: string) => void;
  readonly onGoToLine: (operation: InputOperation) => void;
  readonly onPress: (key: string, press: string) => boolean;
}) {
  const { box, record, isLooked, isFocusable } = props;
  const { operation } = box;
  const { key, suspected, busy_ratio: busy, kind } = operation;
  const name = operationName(operation);
  const queue = queueOf(record, operation);
  const said = dotted([
    name,
    name === operationKind(kind) ? null : operationKind(kind),
    workersText(operation),
    busy === null ? null : l10n.t('busy {0} of the window', share(busy)),
    suspected === null ? null : certaintyText(suspected),
    queue === null ? null : l10n.t('then {0}: {1}', queueKind(queue.kind), heldText(queue)),
  ]);
  return (
    <button
      type="button"
      class={`operation ${suspected === null ? '' : 'suspected'} ${isLooked ? 'looked' : ''} ${kind}`}
      style={{
        left: `${String(box.left_px)}px`,
        top: `${String(box.top_px)}px`,
        width: `${String(box.width_px)}px`,
        height: `${String(BOX_HEIGHT_PX)}px`,
      }}
      aria-label={said}
      aria-pressed={isLooked}
      title={said}
      data-key={key}
      tabIndex={isFocusable ? 0 : -1}
      onClick={() => props.onLook(key)}
      onDblClick={() => props.onGoToLine(operation)}
      onKeyDown={(event) => {
        if (props.onPress(key, event.key)) {
          event.preventDefault();
        } else if (event.key === 'Enter' && operation.file !== null) {
          event.preventDefault();
          props.onLook(key);
          props.onGoToLine(operation);
        }
      }}
    >
      <span class="operation-name ellipsis">
        {suspected === null ? null : <Icon name="flame" />} {name}
      </span>
      <span class="operation-kind quiet ellipsis">
        {dotted([name === operationKind(kind) ? null : operationKind(kind), workersText(operation)])}
      </span>
      {busy === null ? null : (
        <span class="operation-busy">
          <Meter ratio={busy} /> <span class="quiet">{share(busy)}</span>
        </span>
      )}
    </button>
  );
}

/** How many of what work on it at once. */
export function workersText({ workers, kind, process_ids: processes }: InputOperation): string | null {
  if (workers === null || kind === 'function' || kind === 'line') {
    return null;
  }
  if (workers === 0) {
    return l10n.t('no workers');
  }
  if (kind === 'torch' || kind === 'processes' || processes.length > 0) {
    return workers === 1 ? l10n.t('1 worker') : l10n.t('{0} workers', count(workers));
  }
  if (kind === 'tasks') {
    return workers === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', count(workers));
  }
  return workers === 1 ? l10n.t('1 thread') : l10n.t('{0} threads', count(workers));
}

/** The queue behind an operation: how full it is on average, on the arrow. */
function QueueMark({ box, queue }: { readonly box: DrawnBox; readonly queue: InputQueue | null }) {
  if (queue === null) {
    return null;
  }
  const left = box.left_px + box.width_px + (box.across_px - QUEUE_PX.width) / 2 - 6;
  const top = box.top_px + BOX_HEIGHT_PX / 2;
  const said = l10n.t('{0} holds {1} on average', queue.name, heldText(queue));
  return (
    <div class="queue-mark" title={said} style={{ left: `${String(left)}px`, top: `${String(top)}px` }}>
      <span
        class="queue-bar"
        style={{
          '--fill': fillOf(queue.use_ratio ?? 0),
          width: `${String(QUEUE_PX.width)}px`,
          height: `${String(QUEUE_PX.height)}px`,
        }}
        aria-hidden="true"
      />
      <span class="queue-text quiet">{heldText(queue)}</span>
    </div>
  );
}
