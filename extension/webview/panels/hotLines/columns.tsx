// The columns of Hot Lines.

import * as l10n from '@vscode/l10n';
import type { ExtentRecord } from '../../../src/protocol';
import { StackedBar } from '../../shared/charts/cells';
import { Icon } from '../../shared/controls/elements';
import { lineOrder, PlaceText } from '../../shared/controls/lineLink';
import { stepsAndDevices, wholeText } from '../../shared/op/extent';
import { fullOpName } from '../../shared/op/opName';
import { fileName, functionText } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { present } from '../../shared/present';
import type { Column } from '../../shared/table/columns';
import { numberColumn, shareColumn, textColumn } from '../../shared/table/kinds';
import { phaseLetter } from '../../shared/text/phases';
import { TIME } from '../../shared/text/quantities';
import { waitingInWords, waitingParts } from '../../shared/text/waiting';
import { PHASES } from '../../shared/theme';
import { phasesInWords } from './phasesInWords';
import { type HotRow, NO_FUNCTION } from './rows';

export const SHARE_COLUMN = 'share';
export const PER_STEP_COLUMN = 'perStep';
export const TIME_COLUMN = 'time';
export const OP_TIME_COLUMN = 'opTime';

/** The columns for a record; those that would say nothing in any row are left out. */
export function hotColumns(options: {
  readonly extent: ExtentRecord;
  /** The wall clock that shares are of. */
  readonly wall_ps: number;
  /** The greatest part of a line or function, which fills its bar. */
  readonly longest_ps: number;
  readonly hasStale: boolean;
  /** Whether devices waited for any line. */
  readonly hasWaiting: boolean;
  readonly isByFunction: boolean;
  /** Whether titles must be short. */
  readonly isInSideBar: boolean;
  /** Whether there is little room beside what became of the lines: times come first, and shares where there is room. */
  readonly isTight?: boolean;
}): readonly Column<HotRow>[] {
  const { extent, hasStale, isByFunction, isTight = false } = options;
  const hasSteps = extent.steps > 0;
  const share = shareColumn<HotRow>(
    SHARE_COLUMN,
    options.isInSideBar ? shortShareTitle(extent) : shareTitle(extent),
    (row) => row.wall_ps || null,
    {
      meaning: l10n.t(
        'Its part of the wall clock as a share {0}; the bar is full at the hottest row, and hollow where devices waited for the line. ≈: divided among lines by estimated cost, or sampled',
        wholeText(extent),
      ),
      whole: options.wall_ps,
      longest: options.longest_ps,
      mark: estimateMark,
      // It is no line that could be made faster, and often longer than all of them.
      meter: (row) =>
        row.kind === 'idle' || row.wall_ps === 0
          ? null
          : {
              ratio: row.wall_ps / Math.max(1, options.longest_ps),
              ...(isMostlyWaiting(row) ? { form: isForData(row) ? 'waiting data' : 'waiting' } : {}),
            },
    },
  );
  const name = textColumn<HotRow>('line', isByFunction ? l10n.t('Function') : l10n.t('Line'), nameText, {
    width_px: isByFunction ? 200 : 160,
    least_px: 96,
    fills: isByFunction ? 3 : 1,
    exact: (row) =>
      row.kind === 'function' && row.key !== NO_FUNCTION ? `${row.function}, ${placeText(row)}` : placeText(row),
    cell: (row) => <Place row={row} />,
  });
  const longestOp = ({ ops: [op] }: HotRow): string =>
    op === undefined ? '' : fullOpName({ ...op, path: null, line: null });
  return present<Column<HotRow>>([
    // What opens to show its lines stands first.
    ...(isTight
      ? [isByFunction ? name : { ...name, value: lineOrder }, { ...share, rank: 3 }]
      : isByFunction
        ? [name, share]
        : [share, { ...name, value: lineOrder }]),
    textColumn<HotRow>('source', l10n.t('Source'), (row) => row.source?.trim() ?? '', {
      width_px: 160,
      fills: 3,
      rank: isTight ? 2 : 1,
      cell: (row) => <code class={isOld(row) ? 'text old' : 'text'}>{row.source?.trim() ?? ''}</code>,
    }),
    hasStale
      ? textColumn<HotRow>('state', l10n.t('State'), stateText, {
          meaning: l10n.t('Whether the line is still what was measured'),
          width_px: 104,
          rank: 3,
        })
      : null,
    hasSteps
      ? numberColumn<HotRow>(
          PER_STEP_COLUMN,
          isTight ? l10n.t('Step') : l10n.t('Per step'),
          TIME,
          (row) => row.per_step_ps || null,
          {
            meaning: l10n.t(
              'Wall clock per step and device, with the waiting; in equal parts where several ops ran at once',
            ),
          },
        )
      : numberColumn<HotRow>(TIME_COLUMN, l10n.t('Time'), TIME, (row) => row.wall_ps || null, {
          meaning: l10n.t('Wall clock of all devices, with the waiting; in equal parts where several ops ran at once'),
        }),
    options.hasWaiting
      ? numberColumn<HotRow>(
          'waiting',
          hasSteps ? l10n.t('Waiting/step') : l10n.t('Waiting'),
          TIME,
          (row) => (hasSteps ? row.waiting_ps / stepsAndDevices(extent) : row.waiting_ps) || null,
          {
            meaning: l10n.t('How long devices were idle while the host stood on the line'),
            isBlank: isRest,
            width_px: 112,
            rank: 1,
          },
        )
      : null,
    numberColumn<HotRow>(
      OP_TIME_COLUMN,
      hasSteps ? l10n.t('Op time/step') : l10n.t('Op time'),
      TIME,
      (row) => (hasSteps ? row.op_time_per_step_ps : row.self_ps) || null,
      {
        meaning: hasSteps
          ? l10n.t('Self time of its ops per step and device, in which each thread counts')
          : l10n.t('Self time of its ops, in which each thread counts'),
        isBlank: ({ kind }) => kind === 'idle',
        width_px: 104,
        rank: 1,
      },
    ),
    numberColumn<HotRow>(
      'inclusive',
      hasSteps ? l10n.t('Inclusive/step') : l10n.t('Inclusive'),
      TIME,
      (row) => (hasSteps ? row.inclusive_per_step_ps : row.inclusive_wall_ps),
      {
        meaning: hasSteps
          ? l10n.t('Wall clock per step and device of the ops whose user stack contains the line')
          : l10n.t('Wall clock of the ops whose user stack contains the line'),
        isBlank: isRest,
        width_px: 112,
        rank: 2,
      },
    ),
    {
      ...textColumn<HotRow>(
        'phases',
        options.hasWaiting ? l10n.t('Phases or waiting, %') : l10n.t('Phases, %'),
        (row) => (isMostlyWaiting(row) ? waitingInWords(row.waiting_classes) : phasesInWords(row, phaseLetter)),
        {
          meaning: l10n.t(
            'Of the op time: F forward, B backward, R recompute, O optimizer, · other; of a line that devices wait for, why',
          ),
          width_px: 176,
          rank: 4,
          exact: (row) => (isMostlyWaiting(row) ? waitingInWords(row.waiting_classes) : phasesInWords(row)),
          cell: (row) => <Phases row={row} />,
        },
      ),
      value: ({ phases, self_ps }) => (phases === null || !self_ps ? null : phases.backward / self_ps),
    },
    isByFunction
      ? null
      : textColumn<HotRow>('function', l10n.t('Function'), (row) => functionText(row.function), {
          width_px: 120,
          rank: 6,
          exact: (row) => row.function,
        }),
    textColumn<HotRow>('op', l10n.t('Longest op'), longestOp, { width_px: 160, rank: 7 }),
  ]);
}

/** Whether devices waited for a line longer than its ops ran. */
export function isMostlyWaiting({ waiting_ps, wall_ps }: Pick<HotRow, 'waiting_ps' | 'wall_ps'>): boolean {
  return waiting_ps * 2 > wall_ps;
}

/** Whether most of what devices waited for a line was for data, as the hue of that says. */
function isForData({ waiting_classes }: HotRow): boolean {
  const [longest] = waitingParts(waiting_classes);
  return longest !== undefined && (longest[0] === 'input' || longest[0] === 'transfer');
}

/** What stands before a number more than half of which was divided among lines by estimated cost. */
export function estimateMark({ estimated }: HotRow): string {
  return estimated ? '≈ ' : '';
}

/** A line as a person names it: `decoder.py:48`. */
export function placeText(row: HotRow): string {
  if (row.kind === 'unattributed') {
    return l10n.t('Not on a line');
  }
  if (row.kind === 'idle') {
    return l10n.t('Idle, on no line');
  }
  if (row.key === NO_FUNCTION) {
    return l10n.t('Function not recorded');
  }
  return `${row.path ?? l10n.t('(unknown file)')}:${String(row.line)}`;
}

/** How the line stands to what was measured, in words; nothing where it is what was measured. */
export function stateText(row: HotRow): string {
  return { current: '', stale: l10n.t('edited since'), gone: l10n.t('gone') }[row.place?.state ?? 'current'];
}

function nameText(row: HotRow): string {
  return row.kind === 'function' && row.key !== NO_FUNCTION ? functionText(row.function) : placeText(row);
}

/** What is neither a line nor a function. */
export function isRest({ kind }: HotRow): boolean {
  return kind === 'unattributed' || kind === 'idle';
}

function shareTitle({ kind }: ExtentRecord): string {
  return {
    steps: l10n.t('Of the step'),
    window: l10n.t('Of the window'),
    outside: l10n.t('Of time outside'),
    program: l10n.t('Share'),
  }[kind];
}

function shortShareTitle({ kind }: ExtentRecord): string {
  return {
    steps: l10n.t('Of step'),
    window: l10n.t('Of window'),
    outside: l10n.t('Outside'),
    program: l10n.t('Share'),
  }[kind];
}

function isOld(row: HotRow): boolean {
  return row.place !== null && row.place.state !== 'current';
}

function Place({ row }: { readonly row: HotRow }) {
  const { host } = usePage();
  const hint = row.kind === 'function' ? fileName(row.path) : row.folder;
  if (row.file === null) {
    return <span class="text quiet">{nameText(row)}</span>;
  }
  return (
    <>
      {/* Enter on the row does the same, so Tab need not stop here. */}
      <button
        type="button"
        class={`link text ${row.kind === 'function' ? '' : 'place'} ${isOld(row) ? 'old' : ''}`}
        tabIndex={-1}
        aria-label={nameText(row)}
        onClick={() => host.goToLineOf(row)}
      >
        {row.kind === 'function' ? functionText(row.function) : <PlaceText file={fileName(row.path)} line={row.line} />}
      </button>
      {hint === '' ? null : <span class="text quiet hint">{hint}</span>}
      {isOld(row) ? <Icon name="history" label={stateText(row)} /> : null}
    </>
  );
}

function Phases(props: { readonly row: HotRow }) {
  const { row } = props;
  const { phases } = row;
  const whole_ps = row.self_ps ?? 0;
  if (isMostlyWaiting(row)) {
    return (
      <>
        <StackedBar
          parts={waitingParts(row.waiting_classes).map(([name, time_ps]) => ({
            hue: `waiting-${name}` as const,
            share_ratio: time_ps / Math.max(1, row.waiting_ps),
          }))}
        />
        <span class="text phase-text">{waitingInWords(row.waiting_classes)}</span>
      </>
    );
  }
  if (phases === null || whole_ps === 0) {
    return null;
  }
  return (
    <>
      <StackedBar parts={PHASES.map((phase) => ({ hue: phase, share_ratio: phases[phase] / whole_ps }))} />
      <span class="text phase-text">{phasesInWords(row, phaseLetter)}</span>
    </>
  );
}
