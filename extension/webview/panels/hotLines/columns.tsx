// The columns of Hot Lines.

import * as l10n from '@vscode/l10n';
import { ShareBar, StackedBar } from '../../shared/charts/cells';
import { Icon } from '../../shared/controls/elements';
import { duration, exactDuration, share } from '../../shared/text/format';
import { phaseLetter } from '../../shared/text/phases';
import type { Column } from '../../shared/table/columns';
import { PHASES } from '../../shared/theme';
import { phasesInWords } from './phasesInWords';
import type { HotRow } from './rows';

export const SHARE_COLUMN = 'share';

/** The columns for a record; those that would say nothing in any row are left out. */
export function hotColumns(options: {
  readonly opTime_ps: number;
  /** The longest self time of a row, which fills its bar. */
  readonly longest_ps: number;
  readonly hasSteps: boolean;
  readonly hasStale: boolean;
  readonly isByFunction: boolean;
  readonly onGo: (row: HotRow) => void;
}): readonly Column<HotRow>[] {
  const { opTime_ps, hasSteps } = options;
  const shareOf = (row: HotRow): number => (opTime_ps === 0 ? 0 : row.self_ps / opTime_ps);
  const shareText = (row: HotRow): string =>
    row.self_ps === 0 ? '–' : `${row.estimated ? '≈ ' : ''}${share(shareOf(row))}`;
  const time = (
    id: string,
    title: string,
    meaning: string,
    rank: number,
    value: (row: HotRow) => number | null,
  ): Column<HotRow> => ({
    id,
    title,
    meaning,
    width_px: 88,
    least_px: 64,
    align: 'end',
    rank,
    value,
    text: (row) => timeText(value(row)),
    exact: (row) => exactText(value(row)),
    copied: { title: `${title} (ps)`, text: (row) => String(value(row) ?? '') },
  });

  const shareColumn: Column<HotRow> = {
    id: SHARE_COLUMN,
    title: l10n.t('Share'),
    meaning: l10n.t(
      'Self time as a share of all op time; the bar is full at the hottest row. ≈: divided among lines by estimated cost',
    ),
    width_px: 144,
    // Where there is no room for the bar, the number stands alone.
    least_px: 72,
    align: 'end',
    value: (row) => row.self_ps,
    text: shareText,
    exact: (row) => l10n.t('{0} of {1}', exactDuration(row.self_ps), exactDuration(opTime_ps)),
    copied: { title: l10n.t('Share (ratio)'), text: (row) => shareOf(row).toFixed(6) },
    cell: (row) => (
      <>
        <ShareBar share_ratio={row.self_ps / Math.max(1, options.longest_ps)} />
        <span class="share-text">{shareText(row)}</span>
      </>
    ),
  };
  const nameColumn: Column<HotRow> = {
    id: 'line',
    title: options.isByFunction ? l10n.t('Function') : l10n.t('Line'),
    width_px: options.isByFunction ? 200 : 160,
    least_px: 96,
    fills: options.isByFunction ? 3 : 1,
    value: (row) => (row.kind === 'function' ? row.function : `${row.path ?? ''}:${String(row.line).padStart(7)}`),
    text: nameText,
    exact: (row) => (row.kind === 'function' ? `${row.function}, ${placeText(row)}` : placeText(row)),
    cell: (row) => <Place row={row} onGo={options.onGo} />,
  };
  const columns: readonly (Column<HotRow> | null)[] = [
    // What opens to show its lines stands first.
    ...(options.isByFunction ? [nameColumn, shareColumn] : [shareColumn, nameColumn]),
    {
      id: 'source',
      title: l10n.t('Source'),
      width_px: 160,
      fills: 3,
      rank: 1,
      value: (row) => row.source,
      text: (row) => row.source?.trim() ?? '',
      cell: (row) => <code class={isOld(row) ? 'text old' : 'text'}>{row.source?.trim() ?? ''}</code>,
    },
    options.hasStale
      ? {
          id: 'state',
          title: l10n.t('State'),
          meaning: l10n.t('Whether the line is still what was measured'),
          width_px: 104,
          rank: 3,
          value: stateText,
          text: stateText,
        }
      : null,
    hasSteps
      ? time('perStep', l10n.t('Per step'), l10n.t('Self time per step and device'), 0, (row) => row.per_step_ps)
      : null,
    time('self', l10n.t('Self'), l10n.t('Self time of the whole window'), hasSteps ? 5 : 0, (row) => row.self_ps),
    time(
      'inclusive',
      hasSteps ? l10n.t('Inclusive/step') : l10n.t('Inclusive'),
      hasSteps
        ? l10n.t('Time per step and device of the ops whose user stack contains the line')
        : l10n.t('Time of the ops whose user stack contains the line'),
      2,
      (row) => (hasSteps ? row.inclusive_per_step_ps : row.inclusive_ps),
    ),
    {
      id: 'phases',
      title: l10n.t('Phases, %'),
      meaning: l10n.t('F forward, B backward, R recompute, O optimizer, · other'),
      width_px: 176,
      rank: 4,
      value: (row) => (row.phases === null ? null : row.phases.backward / Math.max(1, row.self_ps)),
      text: (row) => phasesInWords(row, phaseLetter),
      exact: (row) => phasesInWords(row),
      cell: (row) => <Phases row={row} />,
    },
    options.isByFunction
      ? null
      : {
          id: 'function',
          title: l10n.t('Function'),
          width_px: 120,
          rank: 6,
          value: (row) => row.function,
          text: functionText,
          exact: (row) => row.function,
        },
    {
      id: 'op',
      title: l10n.t('Longest op'),
      width_px: 160,
      rank: 7,
      value: (row) => row.ops[0]?.name ?? null,
      text: opText,
    },
  ];
  return columns.filter((column) => column !== null);
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
  switch (row.place?.state) {
    case 'stale':
      return l10n.t('edited since');
    case 'gone':
      return l10n.t('gone');
    default:
      return '';
  }
}

function fileName(row: HotRow): string {
  return row.path?.split('/').at(-1) ?? l10n.t('(unknown file)');
}

function nameText(row: HotRow): string {
  return row.kind === 'function' ? functionText(row) : placeText(row);
}

/** A function's qualified name without what every inner function has in it: `update.<lambda>`. */
function functionText(row: HotRow): string {
  return row.function.replaceAll('.<locals>', '');
}

function isOld(row: HotRow): boolean {
  return row.place !== null && row.place.state !== 'current';
}

function timeText(time_ps: number | null): string {
  return time_ps === null || time_ps === 0 ? '–' : duration(time_ps);
}

function exactText(time_ps: number | null): string {
  return time_ps === null ? l10n.t('unknown') : exactDuration(time_ps);
}

function opText(row: HotRow): string {
  const op = row.ops[0];
  return op === undefined ? '' : op.primitive === '' ? op.name : `${op.primitive}  ${op.name}`;
}

function Place(props: { readonly row: HotRow; readonly onGo: (row: HotRow) => void }) {
  const { row } = props;
  const hint = row.kind === 'function' ? fileName(row) : row.folder;
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
        onClick={() => props.onGo(row)}
      >
        {row.kind === 'function' ? (
          functionText(row)
        ) : (
          // Where there is no room the file's name gives way, never the number.
          <>
            <span class="text">{fileName(row)}</span>
            <span>:{row.line}</span>
          </>
        )}
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
