// The details pane of a comparison: one row in full, with what became of its line; or what is to be known of all.

import * as l10n from '@vscode/l10n';
import type { ComparedRow, ComparisonRecord } from '../../../src/protocol';
import {
  evidenceName,
  pairingName,
  rowLabel,
  signed,
  signedShare,
  visibleRatio,
  changeShare,
  visibleText,
} from '../../shared/comparison/words';
import { LineLink } from '../../shared/controls/lineLink';
import { FindingsBelow } from '../../shared/findings/findings';
import { type Fact, Facts } from '../../shared/frame/facts';
import { Ways } from '../../shared/frame/ways';
import { usePage } from '../../shared/page/page';
import { count } from '../../shared/text/format';
import { COUNT, FLOPS, type Quantity, UNKNOWN } from '../../shared/text/quantities';
import { amountsWritten, timesOf, type Written } from './basis';
import { intervalText } from './columns';
import { openBefore, placeAfter, placeBefore } from './places';
import { amountsOf, isThere, meaningOf, selectionOf, totalsOf } from './rows';
import { SourceLines } from './sourceLines';
import { cpuRatio, flopsText, fullVerdict } from './told';

export function WholeDetails({ record }: { readonly record: ComparisonRecord }) {
  const written = amountsWritten(record);
  const { before, change, after } = totalsOf(record);
  const { totals } = record;
  return (
    <>
      <h2 class="details-title">{l10n.t('All together')}</h2>
      <p class="quiet">{meaningOf(record)}</p>
      <Facts
        facts={[
          valueFact(l10n.t('Before'), written.before, before),
          changeFact(l10n.t('Change'), written, change),
          valueFact(l10n.t('After'), written.after, after),
          totals.paired_ratio === null
            ? null
            : { name: l10n.t('Has a counterpart'), text: changeShare(totals.paired_ratio) },
          totals.only_before_ps === null || totals.only_before_ps === 0
            ? null
            : valueFact(l10n.t('Only before'), written.before, totals.only_before_ps),
          totals.only_after_ps === null || totals.only_after_ps === 0
            ? null
            : valueFact(l10n.t('Only after'), written.after, totals.only_after_ps),
          { name: l10n.t('Rounds'), text: count(record.rounds) },
        ]}
      />
      <FindingsBelow
        findings={record.findings.filter(({ severity }) => severity === 'note' || severity === 'advice')}
      />
    </>
  );
}

export function RowDetails({ row, record }: { readonly row: ComparedRow; readonly record: ComparisonRecord }) {
  const { host } = usePage();
  const written = amountsWritten(record);
  const times = timesOf(record);
  const { before, change, after } = amountsOf(row);
  const visible = visibleRatio(row);
  const hasText = placeBefore(row) !== null || placeAfter(row) !== null;
  const facts: readonly (Fact | null)[] = [
    valueFact(l10n.t('Before'), written.before, before),
    changeFact(l10n.t('Change'), written, change, row.change_ratio),
    valueFact(l10n.t('After'), written.after, after),
    row.before_cpu_ps === null && row.after_cpu_ps === null
      ? null
      : {
          name: l10n.t('CPU time'),
          text: `${of(times.before, row.before_cpu_ps)} → ${of(times.after, row.after_cpu_ps)}`,
        },
    row.before_flops === null && row.after_flops === null ? null : { name: l10n.t('FLOPs'), text: flopsInFull(row) },
    row.before_executions === null && row.after_executions === null
      ? null
      : { name: l10n.t('Runs'), text: `${of(COUNT, row.before_executions)} → ${of(COUNT, row.after_executions)}` },
    { name: l10n.t('Verdict'), text: fullVerdict(row) },
    judgedFact(row),
    intervalText(row, times) === '' ? null : { name: l10n.t('95 % interval'), text: intervalText(row, times) },
    visible === null ? null : { name: l10n.t('Would have been seen'), text: visibleText(visible) },
    { name: l10n.t('Judged by'), text: evidenceName(row.judged_by) },
    { name: l10n.t('Rounds'), text: count(record.rounds) },
    row.paired_by === null ? null : { name: l10n.t('Paired by'), text: pairingName(row.paired_by) },
    row.before_line === null || row.after_key === null
      ? null
      : { name: l10n.t('Line before'), text: count(row.before_line) },
  ];
  return (
    <>
      <h2 class="details-title code">{rowLabel(row)}</h2>
      {row.line === null || !isThere(row) ? null : (
        <p>
          <LineLink place={row} />
        </p>
      )}
      <Facts facts={facts} />
      {row.controlled ? (
        <p class="row-note">{l10n.t('What happened to all that is unchanged was taken out first.')}</p>
      ) : null}
      {hasText ? <SourceLines row={row} record={record} /> : null}
      <Ways selection={selectionOf(row)}>
        {placeBefore(row) === null ? null : (
          <button type="button" class="link" onClick={() => openBefore(host, row)}>
            {l10n.t('Open the source as it was')}
          </button>
        )}
        {hasText ? (
          <button type="button" class="link" onClick={() => host.showSourceChanges(placeBefore(row), placeAfter(row))}>
            {l10n.t('Show source changes')}
          </button>
        ) : null}
      </Ways>
    </>
  );
}

function of(quantity: Quantity, value: number | null): string {
  return value === null ? UNKNOWN : quantity.text(value);
}

function valueFact(name: string, quantity: Quantity, value: number | null): Fact {
  return { name, text: of(quantity, value), exact: value === null ? UNKNOWN : quantity.exact(value) };
}

function changeFact(name: string, written: Written, value: number | null, ratio: number | null = null): Fact {
  const { change, share } = written;
  const said = ratio === null || value === 0 ? '' : beside(share(ratio));
  return { name, text: `${signed(value, change.text) || UNKNOWN}${said}`, exact: signed(value, change.exact) };
}

/** What stands behind a value, in one piece. */
function beside(share: string): string {
  return share === '' ? '' : ` (${share.replaceAll(' ', '\u00a0')})`;
}

/** `806 MFLOP → 1.61 GFLOP (+100 %)`. */
function flopsInFull(row: ComparedRow): string {
  const said = flopsText(row);
  return `${of(FLOPS, row.before_flops)} → ${of(FLOPS, row.after_flops)}${beside(said)}`;
}

/** What the verdict rests on, where that is not the change above. */
function judgedFact(row: ComparedRow): Fact | null {
  const { judged_change_ratio: judged, change_ratio: ratio } = row;
  if (cpuRatio(row) !== null) {
    return { name: l10n.t('Change of CPU time'), text: signedShare(cpuRatio(row)) };
  }
  const [text, beside] = [signedShare(judged), signedShare(ratio)];
  return text === '' || text === beside ? null : { name: l10n.t('Change that was judged'), text };
}
