// The cells before and change of a plain table, whose rows are written out.

import * as l10n from '@vscode/l10n';
import { quantityText } from '../text/quantities';
import { changeInFull } from './change';
import { ChangeMark } from './columns';
import type { ComparedRows } from './comparedTable';

/** Nothing where nothing is compared, as the cells. */
export function ChangeHeads<Row>({ compared }: { readonly compared: ComparedRows<Row> | null }) {
  return compared === null ? null : (
    <>
      <th scope="col" class="end" title={l10n.t('{0}, in {1}', compared.meaning, compared.sides.before_title)}>
        {l10n.t('Before')}
      </th>
      <th
        scope="col"
        class="end"
        title={l10n.t(
          '{0}: what became of it since {1}. ± where nothing tells it from noise, = where it is the same',
          compared.meaning,
          compared.sides.since,
        )}
      >
        {l10n.t('Change')}
      </th>
    </>
  );
}

export function ChangeCells<Row>(props: { readonly compared: ComparedRows<Row> | null; readonly row: Row }) {
  const { compared, row } = props;
  if (compared === null) {
    return null;
  }
  const change = compared.changeOf(row);
  const { quantity } = compared;
  return (
    <>
      <td class="end" title={change === null || change.before === null ? '' : quantity.exact(change.before)}>
        {change === null ? '' : quantityText(quantity, change.before)}
      </td>
      <td class="end" title={change === null ? '' : changeInFull(change, quantity)}>
        {change === null ? '' : <ChangeMark change={change} quantity={quantity} />}
      </td>
    </>
  );
}
