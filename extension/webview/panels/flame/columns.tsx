// The columns of a flame graph's table: of its stacks, and of its lines.

import * as l10n from '@vscode/l10n';
import { StackedBar } from '../../shared/charts/cells';
import type { Column } from '../../shared/table/columns';
import { lineColumn, numberColumn, shareColumn, textColumn } from '../../shared/table/kinds';
import type { Quantity } from '../../shared/text/quantities';
import { PHASES } from '../../shared/theme';
import { type FlameEntry, phaseShares } from './tree';

export const INCLUSIVE_COLUMN = 'inclusive';

export function flameColumns<Row extends FlameEntry>(options: {
  readonly whole: number;
  readonly quantity: Quantity;
}): readonly Column<Row>[] {
  const { whole, quantity } = options;
  return [
    textColumn<Row>('name', l10n.t('Function'), ({ name }) => name, {
      width_px: 280,
      least_px: 120,
      fills: 3,
      exact: ({ name }) => name,
      cell: (row) => {
        const shares = phaseShares(row);
        return (
          <>
            <span class="swatch">
              <StackedBar parts={PHASES.map((phase) => ({ hue: phase, share_ratio: shares[phase] ?? 0 }))} />
            </span>
            <span class="text code">{row.name}</span>
          </>
        );
      },
    }),
    shareColumn<Row>('share', l10n.t('Share'), ({ inclusive }) => inclusive, {
      meaning: l10n.t('The line and all that it calls, as a share of all'),
      rank: 1,
      whole,
      quantity,
    }),
    numberColumn<Row>(INCLUSIVE_COLUMN, l10n.t('Inclusive'), quantity, ({ inclusive }) => inclusive, {
      meaning: l10n.t('The line and all that it calls, each stack counted once'),
      width_px: 104,
    }),
    numberColumn<Row>('self', l10n.t('Self'), quantity, ({ self }) => self, {
      meaning: l10n.t('What was traced on the line itself'),
      text: ({ self }) => (self === 0 ? '' : quantity.text(self)),
      rank: 2,
    }),
    lineColumn<Row>({ rank: 3 }),
  ];
}
