// The columns of Hot Lines.

import * as l10n from '@vscode/l10n';
import { StackedBar } from '../../shared/charts/cells';
import { Icon } from '../../shared/controls/elements';
import { lineOrder, PlaceText } from '../../shared/controls/lineLink';
import { fullOpName } from '../../shared/op/opName';
import { fileName, functionText } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { present } from '../../shared/present';
import type { Column } from '../../shared/table/columns';
import { numberColumn, shareColumn, textColumn } from '../../shared/table/kinds';
import { phaseLetter } from '../../shared/text/phases';
import { TIME } from '../../shared/text/quantities';
import { PHASES } from '../../shared/theme';
import { phasesInWords } from './phasesInWords';
import type { HotRow } from './rows';

export const SHARE_COLUMN = 'share';

/** The columns for a record; those that would say nothing in any row are left out. */
export function hotColumns(options: {
  readonly op_time_ps: number;
  /** The longest self time of a row, which fills its bar. */
  readonly longest_ps: number;
  readonly hasSteps: boolean;
  readonly hasStale: boolean;
  readonly isByFunction: boolean;
}): readonly Column<HotRow>[] {
  const { hasSteps, hasStale, isByFunction } = options;
  const share = shareColumn<HotRow>(SHARE_COLUMN, l10n.t('Share'), (row) => row.self_ps || null, {
    meaning: l10n.t(
      'Self time as a share of all op time; the bar is full at the hottest row. ≈: divided among lines by estimated cost',
    ),
    whole: options.op_time_ps,
    longest: options.longest_ps,
    mark: estimateMark,
  });
  const name = textColumn<HotRow>('line', isByFunction ? l10n.t('Function') : l10n.t('Line'), nameText, {
    width_px: isByFunction ? 200 : 160,
    least_px: 96,
    fills: isByFunction ? 3 : 1,
    exact: (row) => (row.kind === 'function' ? `${row.function}, ${placeText(row)}` : placeText(row)),
    cell: (row) => <Place row={row} />,
  });
  const longestOp = ({ ops: [op] }: HotRow): string =>
    op === undefined ? '' : fullOpName({ ...op, path: null, line: null });
  return present<Column<HotRow>>([
    // What opens to show its lines stands first.
    ...(isByFunction ? [name, share] : [share, { ...name, value: lineOrder }]),
    textColumn<HotRow>('source', l10n.t('Source'), (row) => row.source?.trim() ?? '', {
      width_px: 160,
      fills: 3,
      rank: 1,
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
      ? numberColumn<HotRow>('perStep', l10n.t('Per step'), TIME, (row) => row.per_step_ps || null, {
          meaning: l10n.t('Self time per step and device'),
        })
      : null,
    numberColumn<HotRow>('self', l10n.t('Self'), TIME, (row) => row.self_ps || null, {
      meaning: l10n.t('Self time of the whole window'),
      rank: hasSteps ? 5 : 0,
    }),
    numberColumn<HotRow>(
      'inclusive',
      hasSteps ? l10n.t('Inclusive/step') : l10n.t('Inclusive'),
      TIME,
      (row) => (hasSteps ? row.inclusive_per_step_ps : row.inclusive_ps),
      {
        meaning: hasSteps
          ? l10n.t('Time per step and device of the ops whose user stack contains the line')
          : l10n.t('Time of the ops whose user stack contains the line'),
        width_px: 112,
        rank: 2,
      },
    ),
    {
      ...textColumn<HotRow>('phases', l10n.t('Phases, %'), (row) => phasesInWords(row, phaseLetter), {
        meaning: l10n.t('F forward, B backward, R recompute, O optimizer, · other'),
        width_px: 176,
        rank: 4,
        exact: (row) => phasesInWords(row),
        cell: (row) => <Phases row={row} />,
      }),
      value: ({ phases, self_ps }) => (phases === null || self_ps === 0 ? null : phases.backward / self_ps),
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

/** What stands before a number more than half of which was divided among lines by estimated cost. */
export function estimateMark({ estimated }: HotRow): string {
  return estimated ? '≈ ' : '';
}

/** A line as a person names it: `decoder.py:48`. */
export function placeText(row: HotRow): string {
  if (row.kind === 'unattributed') {
    return l10n.t('Unattributed');
  }
  return `${row.path ?? l10n.t('(unknown file)')}:${String(row.line)}`;
}

/** How the line stands to what was measured, in words; nothing where it is what was measured. */
export function stateText(row: HotRow): string {
  return { current: '', stale: l10n.t('edited since'), gone: l10n.t('gone') }[row.place?.state ?? 'current'];
}

function nameText(row: HotRow): string {
  return row.kind === 'function' ? functionText(row.function) : placeText(row);
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
  if (phases === null || row.self_ps === 0) {
    return null;
  }
  return (
    <>
      <StackedBar parts={PHASES.map((phase) => ({ hue: phase, share_ratio: phases[phase] / row.self_ps }))} />
      <span class="text phase-text">{phasesInWords(row, phaseLetter)}</span>
    </>
  );
}
