// The columns of a comparison: what a row is, what it was, by how much it changed, what it is, and what that is worth.

import * as l10n from '@vscode/l10n';
import type { ComparedRow, ComparisonRecord } from '../../../src/protocol';
import { ChangeBar } from '../../shared/comparison/changeBar';
import { evidenceName, pairingName, rowLabel, signed, signedShare, visibleText } from '../../shared/comparison/words';
import type { Column } from '../../shared/table/columns';
import { exactLine, LineLink, PlaceText } from '../../shared/controls/lineLink';
import { fileName, lineText } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { lineColumn, numberColumn, textColumn } from '../../shared/table/kinds';
import { dotted } from '../../shared/text/format';
import { phaseName } from '../../shared/text/phases';
import { FLOPS, RATIO, TIME } from '../../shared/text/quantities';
import { amountsWritten, type Written } from './basis';
import { openBefore } from './places';
import { amountsOf, barOf, isOfBytes, isThere, longestChange } from './rows';
import { cpuRatio, flopsRatio, flopsText, fullVerdict, shortVerdict, verdictLook } from './told';

type Each = ComparedRow;

export function comparisonColumns(record: ComparisonRecord): readonly Column<Each>[] {
  const written = amountsWritten(record);
  const longest = longestChange(record);
  const has = (test: (row: Each) => boolean): boolean => record.rows.some(test);
  const perStep = record.has_steps ? l10n.t('Of a step and a device') : l10n.t('Of the window and a device');
  const meaning = isOfBytes(record) ? l10n.t('At the peak of the program that needs most') : perStep;
  const columns: readonly (Column<Each> | null)[] = [
    ...nameColumns(record),
    numberColumn<Each>('before', l10n.t('Before'), written.before, (row) => amountsOf(row).before, {
      isBlank: (row) => amountsOf(row).before === null,
      meaning,
      width_px: 76,
      least_px: 66,
    }),
    numberColumn<Each>('change', l10n.t('Change'), written.change, (row) => amountsOf(row).change, {
      text: (row) => signed(amountsOf(row).change, written.change.text),
      exact: (row) => signed(amountsOf(row).change, written.change.exact),
      meaning: l10n.t('Before and change are what is after, exactly'),
      width_px: 112,
      least_px: 96,
      cell: (row) => (
        <span class="change-cell">
          <ChangeBar change={barOf(row)} longest={longest} verdict={row.verdict} />
          <span class="text">{signed(amountsOf(row).change, written.change.text)}</span>
        </span>
      ),
    }),
    numberColumn<Each>('after', l10n.t('After'), written.after, (row) => amountsOf(row).after, {
      isBlank: (row) => amountsOf(row).after === null,
      meaning,
      width_px: 76,
      least_px: 66,
    }),
    numberColumn<Each>('ratio', '%', RATIO, ({ change_ratio: ratio }) => ratio, {
      text: ({ change_ratio: ratio }) => written.share(ratio),
      exact: ({ change_ratio: ratio }) => signed(ratio, RATIO.exact),
      meaning: l10n.t('The change beside it, of what was before'),
      width_px: 72,
      least_px: 64,
      // Ops are rather told apart by their names.
      rank: record.by === 'op' ? 2 : 1,
    }),
    has((row) => cpuRatio(row) !== null)
      ? numberColumn<Each>('cpu', l10n.t('CPU time'), RATIO, cpuRatio, {
          text: (row) => signedShare(cpuRatio(row)),
          exact: (row) => cpuText(row),
          isBlank: (row) => cpuRatio(row) === null,
          meaning: l10n.t('The change of how long threads were on cores, which is what was judged, not the clock'),
          width_px: 76,
          rank: 2,
        })
      : null,
    has((row) => flopsRatio(row) !== null)
      ? numberColumn<Each>('flops', l10n.t('FLOPs'), RATIO, flopsRatio, {
          text: flopsText,
          exact: (row) => `${FLOPS.exact(row.before_flops ?? 0)} → ${FLOPS.exact(row.after_flops ?? 0)}`,
          isBlank: (row) => flopsRatio(row) === null,
          meaning: l10n.t('The change of its FLOPs, which is exact'),
          width_px: 72,
          rank: 2,
        })
      : null,
    textColumn<Each>('verdict', l10n.t('Verdict'), fullVerdict, {
      width_px: 108,
      least_px: 64,
      fills: 1,
      cell: (row) => <span class={`text verdict-mark ${verdictLook(row)}`}>{shortVerdict(row)}</span>,
      meaning: l10n.t('What of the change can be told from noise'),
    }),
    has((row) => row.visible_ratio !== null)
      ? {
          ...textColumn<Each>(
            'visible',
            l10n.t('Would be seen'),
            ({ visible_ratio: ratio }) => (ratio === null ? '' : visibleText(ratio)),
            {
              width_px: 116,
              align: 'end',
              rank: 3,
              meaning: l10n.t('The smallest change that would have been seen, of what was judged'),
            },
          ),
          value: ({ visible_ratio: ratio }) => ratio,
        }
      : null,
    has((row) => intervalText(row, written) !== '')
      ? textColumn<Each>('interval', l10n.t('95 % interval'), (row) => intervalText(row, written), {
          width_px: 152,
          rank: 5,
          align: 'end',
          meaning: l10n.t('In which the change lies, with 95 % confidence'),
        })
      : null,
    textColumn<Each>('evidence', l10n.t('Judged by'), (row) => evidenceName(row.judged_by), {
      width_px: 96,
      rank: 5,
    }),
    record.by === 'line'
      ? textColumn<Each>(
          'paired',
          l10n.t('Paired'),
          (row) => (row.paired_by === null ? '' : pairingName(row.paired_by)),
          {
            width_px: 144,
            rank: 5,
          },
        )
      : null,
  ];
  return columns.filter((column) => column !== null);
}

/** `628 µs → 548 µs, judged: −13 %`. */
function cpuText(row: Each): string {
  const { before_cpu_ps: before, after_cpu_ps: after } = row;
  const judged = signedShare(cpuRatio(row));
  return before === null || after === null
    ? judged
    : l10n.t('{0} → {1}, judged: {2}', TIME.exact(before), TIME.exact(after), judged);
}

/** `+0.8 to +1.6 ms` of the change, or of that of CPU time where that is judged; empty where there is no evidence. */
export function intervalText({ interval_ps: ofTime, interval_cpu_ps: ofCpu }: Each, { change }: Written): string {
  const interval = ofTime ?? ofCpu;
  if (interval === null) {
    return '';
  }
  const said = l10n.t('{0} to {1}', signed(interval[0], change.text), signed(interval[1], change.text));
  return ofTime === null ? l10n.t('{0} of CPU time', said) : said;
}

function nameColumns({ by, rows }: ComparisonRecord): readonly Column<Each>[] {
  const title = { op: l10n.t('Op'), scope: l10n.t('Scope'), step: l10n.t('Part'), shape: l10n.t('Op and shapes') };
  if (by === 'line' || by === 'memory') {
    return [
      lineColumn<Each>({
        width_px: 100,
        least_px: 72,
        fills: 1,
        text: placeText,
        exact: placeInFull,
        cell: (row) => <Place row={row} />,
      }),
      textColumn<Each>('function', l10n.t('Function'), (row) => (row.kind === 'line' ? row.function : ''), {
        width_px: 136,
        least_px: 64,
        isCode: true,
        rank: 4,
      }),
    ];
  }
  const hasLines = rows.some(({ line }) => line !== null);
  const hasPhases = new Set(rows.flatMap(({ phase }) => phase ?? [])).size > 1;
  return [
    textColumn<Each>('name', title[by], rowLabel, {
      width_px: NAME_PX[by],
      least_px: 96,
      fills: 3,
      isCode: by !== 'step',
      exact: nameInFull,
    }),
    // Ops of one name are told apart by these.
    ...(hasLines ? [lineColumn<Each>({ width_px: 100, least_px: 72, cell: (row) => <Place row={row} /> })] : []),
    ...(hasPhases
      ? [
          textColumn<Each>('phase', l10n.t('Phase'), ({ phase }) => (phase === null ? '' : phaseName(phase)), {
            width_px: 72,
            rank: 1,
          }),
        ]
      : []),
  ];
}

/** Names of shapes are long; those of ops stand beside their line and phase. */
const NAME_PX = { op: 176, scope: 160, step: 200, shape: 300 } as const;

function placeInFull(row: Each): string {
  return dotted([row.line === null ? rowLabel(row) : exactLine(row), row.kind === 'line' ? row.function : null]);
}

function nameInFull(row: Each): string {
  return dotted([
    rowLabel(row),
    row.line === null ? null : exactLine(row),
    row.phase === null ? null : phaseName(row.phase),
  ]);
}

/** What has no line is called by what it is. */
function placeText(row: Each): string {
  return row.line === null ? rowLabel(row) : lineText(row.path, row.line);
}

/** The line of a row: where it is now, or in the copy that the run before keeps of it. */
function Place({ row }: { readonly row: Each }) {
  const { host } = usePage();
  if (row.line === null) {
    return <span class="text quiet">{row.kind === 'rest' ? rowLabel(row) : ''}</span>;
  }
  if (isThere(row)) {
    return <LineLink place={row} inRow />;
  }
  return (
    <button type="button" class="link text place" tabIndex={-1} onClick={() => openBefore(host, row)}>
      <PlaceText file={fileName(row.path)} line={row.line} />
    </button>
  );
}
