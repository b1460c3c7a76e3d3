// The same as the curve in numbers: one row for each position.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { PointTable } from '../../shared/charts/pointTable';
import type { Column } from '../../shared/table/columns';
import { numberColumn, textColumn } from '../../shared/table/kinds';
import { BYTES, COUNT, type Quantity } from '../../shared/text/quantities';
import { type PointFacts, pointFacts, positionOf } from './curveData';
import { signedBytes } from './live';
import type { Viewer } from './viewer';

export function CurveTable({ viewer }: { readonly viewer: Viewer }) {
  const { curve, own, mark } = viewer;
  const columns = useMemo(() => {
    const bytes = (
      id: string,
      title: string,
      meaning: string,
      value: (facts: PointFacts) => number | null,
      quantity: Quantity = BYTES,
    ): Column<number> =>
      numberColumn(id, title, quantity, (point) => value(pointFacts(curve, point, own)), {
        meaning,
        width_px: 112,
        least_px: 80,
        mark: () => mark,
      });
    const isProgram = curve.kind === 'program';
    const position = isProgram ? l10n.t('Position') : l10n.t('Program position');
    return [
      ...(isProgram
        ? []
        : [
            numberColumn<number>('number', l10n.t('Op number'), COUNT, (point) => curve.places[point] ?? 0, {
              meaning: l10n.t('Its place in the order of execution'),
            }),
          ]),
      numberColumn<number>('position', position, COUNT, (point) => positionOf(curve, point), {
        width_px: isProgram ? 80 : 128,
      }),
      textColumn<number>('op', l10n.t('Op'), (point) => curve.ops[point] ?? '', {
        width_px: 200,
        least_px: 112,
        fills: 1,
        isCode: true,
      }),
      bytes('own', l10n.t('Makes'), l10n.t('The buffers that the op defines'), (facts) => facts.own_bytes),
      bytes('bytes', l10n.t('In memory'), l10n.t('With padding'), (facts) => facts.bytes),
      bytes('unpadded', l10n.t('Unpadded'), l10n.t('Without padding'), (facts) => facts.unpadded_bytes),
      bytes(
        'change',
        l10n.t('Change'),
        isProgram ? l10n.t('From the position before') : l10n.t('From the op before, as they run'),
        (facts) => facts.change_bytes,
        { ...BYTES, text: signedBytes },
      ),
    ];
  }, [curve, own, mark]);
  return (
    <PointTable
      name={`curve.${curve.kind}`}
      label={l10n.t('Memory by position')}
      columns={columns}
      points={curve.bytes.length}
      onPick={viewer.listPoint}
    />
  );
}
