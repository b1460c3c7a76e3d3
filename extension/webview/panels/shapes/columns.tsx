// The columns of the tables of Shapes: the runs, and the variants.

import * as l10n from '@vscode/l10n';
import type { ShapeFamily, ShapeVariant } from '../../../src/protocol';
import type { Column } from '../../shared/table/columns';
import { numberColumn, textColumn } from '../../shared/table/kinds';
import { COUNT, type Quantity, TIME } from '../../shared/text/quantities';
import { shapesText } from './words';

export const MEAN_COLUMN = 'mean';

/** The runs as a table, by their position. */
export function runColumns(family: ShapeFamily): readonly Column<number>[] {
  type Run = ShapeFamily['iterations'][number];
  const { iterations, variants } = family;
  const of = (
    id: string,
    title: string,
    quantity: Quantity,
    value: (run: Run) => number | null,
    width_px = 96,
  ): Column<number> =>
    numberColumn<number>(
      id,
      title,
      quantity,
      (at) => {
        const run = iterations[at];
        return run === undefined ? null : value(run);
      },
      { width_px },
    );
  return [
    of('run', l10n.t('Run'), COUNT, ({ number }) => number, 64),
    of('step', l10n.t('Step'), COUNT, ({ step }) => step, 64),
    textColumn<number>(
      'shapes',
      l10n.t('Shapes that change'),
      (at) => shapesText(variants[iterations[at]?.variant ?? -1]),
      {
        width_px: 240,
        fills: 1,
        isCode: true,
      },
    ),
    of('variant', l10n.t('Variant'), COUNT, ({ variant }) => variant + 1, 80),
    of('time', l10n.t('Takes'), TIME, ({ duration_ps: time }) => time),
    of('ops', l10n.t('Op time'), TIME, ({ op_time_ps: time }) => time),
  ];
}

/** A variant, which no one line is of. */
export type VariantRow = ShapeVariant & { readonly path: null; readonly file: null; readonly line: null };

export function variantColumns(): readonly Column<VariantRow>[] {
  type Row = VariantRow;
  return [
    numberColumn<Row>('number', l10n.t('Variant'), COUNT, ({ number }) => number, { width_px: 96 }),
    textColumn<Row>('shapes', l10n.t('Shapes that change'), shapesText, { width_px: 280, fills: 1, isCode: true }),
    numberColumn<Row>('runs', l10n.t('Runs'), COUNT, ({ runs }) => runs, { width_px: 80 }),
    numberColumn<Row>(MEAN_COLUMN, l10n.t('One run'), TIME, ({ mean_ps: time }) => time),
    numberColumn<Row>('compile', l10n.t('Compile time'), TIME, ({ compile_ps: time }) => time, {
      width_px: 112,
      unknown: () => l10n.t('When it was compiled is not recorded'),
    }),
  ];
}
