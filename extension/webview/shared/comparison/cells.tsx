// The cells before and change of a plain table, whose rows are written out.

import * as l10n from '@vscode/l10n';
import { quantityText } from '../text/quantities';
import { changeInFull } from './change';
import { ChangeMark, changeTitles } from './columns';
import type { ComparedRows } from './comparedTable';

/** Nothing where nothing is compared, as the cells. */
export function ChangeHeads<Row>({ compared }: { readonly compared: ComparedRows<Row> | null }) {
  if (compared === null) {
    return null;
  }
  const titles = changeTitles(compared);
  return (
    <>
      <th scope="col" class="end before" title={l10n.t('{0}, in {1}', compared.meaning, compared.sides.before_title)}>
        {titles.before}
      </th>
      <th
        scope="col"
        class="end changed"
        title={l10n.t(
          '{0}: what became of it since {1}. ± where nothing tells it from noise, = where it is the same',
          compared.meaning,
          compared.sides.since,
        )}
      >
        {titles.change}
      </th>
      {hasAfter(compared) ? (
        <th scope="col" class="end after" title={l10n.t('{0}, in {1}', compared.meaning, compared.sides.after_title)}>
          {titles.after}
        </th>
      ) : null}
    </>
  );
}

export function ChangeCells<Row>(props: { readonly compared: ComparedRows<Row> | null; readonly row: Row }) {
  const { compared, row } = props;
  if (compared === null) {
    return null;
  }
  const change = compared.changeOf(row);
  const { quantity, rounds } = compared;
  const exact = (value: number | null | undefined): string =>
    value === null || value === undefined ? '' : quantity.exact(value);
  return (
    <>
      <td class="end before" title={exact(change?.before)}>
        {change === null ? '' : quantityText(quantity, change.before)}
      </td>
      <td class="end changed" title={change === null ? '' : changeInFull(change, quantity, rounds)}>
        {change === null ? '' : <ChangeMark change={change} quantity={quantity} isShort />}
      </td>
      {hasAfter(compared) ? (
        <td class="end after" title={exact(change?.after)}>
          {change === null ? '' : quantityText(quantity, change.after)}
        </td>
      ) : null}
    </>
  );
}

/** Whether what there is after is not what the table has. */
function hasAfter<Row>({ rounds, isPerStep }: ComparedRows<Row>): boolean {
  return rounds > 1 || isPerStep;
}
