// The lines that took longest beside those that devices waited for, and the ops: the first of what other panels have all of.

import * as l10n from '@vscode/l10n';
import type { OverviewRecord } from '../../../src/protocol';
import { Meter } from '../../shared/charts/cells';
import { ChangeCells, ChangeHeads } from '../../shared/comparison/cells';
import { lineTimeText, selfTimeText } from '../../shared/comparison/columns';
import type { ComparedRows } from '../../shared/comparison/comparedTable';
import { useComparedRows } from '../../shared/comparison/comparedRows';
import { LineLink } from '../../shared/controls/lineLink';
import { functionText } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { openCommand } from '../../../src/panels/panelList';
import { duration, exactDuration, flopRate, timeShare } from '../../shared/text/format';
import { UNKNOWN } from '../../shared/text/quantities';
import { waitingName } from '../../shared/text/waiting';
import { led, timed } from '../../shared/text/basis';

const MOST_LINES = 6;
const MOST_OPS = 8;

type Line = OverviewRecord['lines'][number];
type Keyed = Pick<Line, 'key'>;

const keysOf = ({ key }: Keyed): readonly string[] => [key];

/** What became of the lines; null where nothing is compared. */
export function useComparedLines(): ComparedRows<Keyed> | null {
  return useComparedRows<Keyed>('line', { keysOf, meaning: lineTimeText() });
}

export function TopLines(props: {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly isWaiting?: boolean;
  readonly compared: ComparedRows<Keyed> | null;
  /** What is said where there are none. */
  readonly otherwise: string;
}) {
  const { title, lines, isWaiting = false, compared } = props;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {lines.length === 0 ? (
        <p class="quiet">{props.otherwise}</p>
      ) : (
        <table class={`tops ${comparedClass(compared)}`}>
          <thead>
            <tr>
              <th scope="col">{l10n.t('Line')}</th>
              <td class="of-meter" />
              <th scope="col" class="end share" title={l10n.t('Of the wall clock')}>
                {l10n.t('Share')}
              </th>
              <th scope="col" class="end more" title={l10n.t('With the lines above')}>
                {l10n.t('Cumulative')}
              </th>
              <th scope="col" class="end">
                {l10n.t('Per step')}
              </th>
              <ChangeHeads compared={compared} />
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, MOST_LINES).map((line) => (
              <tr key={line.key}>
                <td class="name" title={functionText(line.function)}>
                  <LineLink place={line} />
                  <span class="text quiet">
                    {isWaiting && line.kind !== null ? waitingName(line.kind) : functionText(line.function)}
                  </span>
                </td>
                <td class="of-meter">
                  <Meter ratio={line.share_ratio} isWaiting={isWaiting} />
                </td>
                <td class="end share">{led(line.basis === 'estimated' ? '≈ ' : '', timeShare(line.share_ratio))}</td>
                <td class="end quiet more">{timeShare(line.cumulative_ratio)}</td>
                <td class="end" title={line.per_step_ps === null ? '' : exactDuration(line.per_step_ps)}>
                  {line.per_step_ps === null ? UNKNOWN : duration(line.per_step_ps)}
                </td>
                <ChangeCells compared={compared} row={line} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** What there is room for beside names depends on it. */
function comparedClass(compared: ComparedRows<Keyed> | null): string {
  return compared === null ? '' : compared.rounds > 1 ? 'compared in-rounds' : 'compared';
}

export function TopOps({ record }: { readonly record: OverviewRecord }) {
  const { host } = usePage();
  const { ops } = record;
  const compared = useComparedRows<Keyed>('op', { keysOf, meaning: selfTimeText() });
  if (ops.length === 0) {
    return null;
  }
  return (
    <section aria-label={l10n.t('Ops that took longest')}>
      <div class="section-head">
        <h2>{l10n.t('Ops that took longest')}</h2>
        <span class="spacer" />
        <button type="button" class="link" onClick={() => host.run(openCommand('opStatistics'))}>
          {l10n.t('All ops')}
        </button>
      </div>
      <table class={`tops of-ops ${comparedClass(compared)}`}>
        <thead>
          <tr>
            <th scope="col">{l10n.t('Op')}</th>
            <th scope="col" class="category">
              {l10n.t('Category')}
            </th>
            <th scope="col" class="line">
              {l10n.t('Line')}
            </th>
            <td class="of-meter" />
            <th scope="col" class="end" title={l10n.t('Of the op time')}>
              {l10n.t('Self')}
            </th>
            <th scope="col" class="end more" title={l10n.t('With the ops above')}>
              {l10n.t('Cumulative')}
            </th>
            <th scope="col" class="end">
              {l10n.t('Per step')}
            </th>
            <ChangeHeads compared={compared} />
            <th scope="col" class="end rate">
              {l10n.t('FLOP rate')}
            </th>
          </tr>
        </thead>
        <tbody>
          {ops.slice(0, MOST_OPS).map((op) => (
            <tr key={op.key}>
              <td class="name" title={op.name}>
                <button
                  type="button"
                  class="link text"
                  onClick={() => host.showIn('opStatistics', { kind: 'op', key: op.key, file: op.file, line: op.line })}
                >
                  {op.primitive || op.name}
                </button>
                {op.primitive === '' ? null : <code class="text quiet">{op.name}</code>}
              </td>
              <td class="category quiet" title={op.category}>
                {op.category}
              </td>
              <td class="line">
                <LineLink place={op} />
              </td>
              <td class="of-meter">
                <Meter ratio={op.share_ratio} />
              </td>
              <td class="end" title={exactDuration(op.self_ps)}>
                {timeShare(op.share_ratio)}
              </td>
              <td class="end quiet more">{timeShare(op.cumulative_ratio)}</td>
              <td class="end">{op.per_step_ps === null ? UNKNOWN : duration(op.per_step_ps)}</td>
              <ChangeCells compared={compared} row={op} />
              <td class="end rate">{op.flops_per_s === null ? UNKNOWN : timed(flopRate(op.flops_per_s))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
