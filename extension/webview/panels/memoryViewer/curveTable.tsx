// The same as the curve in numbers: one row for each position.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { byteSize, count } from '../../shared/text/format';
import { UNKNOWN } from '../../shared/text/quantities';
import { usePage } from '../../shared/page/page';
import type { Column } from '../../shared/table/columns';
import { Table } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { type Curve, type PointFacts, pointFacts, positionOf } from './curveData';
import { signedBytes } from './live';

export function CurveTable(props: {
  readonly curve: Curve;
  readonly own: ReadonlyMap<string, number>;
  readonly mark: string;
  readonly onPick: (point: number) => void;
}) {
  const { curve, own, mark } = props;
  const { saved } = usePage();
  const state = tableState(saved, `curve.${curve.kind}`, {
    column: curve.kind === 'program' ? 'position' : 'number',
    descending: false,
  });
  const points = useMemo(() => Array.from(curve.places.keys()), [curve]);
  const columns = useMemo(() => {
    const bytes = (
      id: string,
      title: string,
      meaning: string,
      value: (facts: PointFacts) => number | null,
      text: (bytes: number) => string = byteSize,
    ): Column<number> => {
      const of = (point: number): number | null => value(pointFacts(curve, point, own));
      const said = (point: number, words: (bytes: number) => string, unknown: string): string => {
        const amount = of(point);
        return amount === null ? unknown : words(amount);
      };
      return {
        id,
        title,
        meaning,
        width_px: 112,
        least_px: 80,
        align: 'end',
        value: of,
        text: (point) => said(point, (amount) => `${mark}${text(amount)}`, UNKNOWN),
        exact: (point) => said(point, (amount) => `${count(amount)} B`, ''),
        copied: { title: l10n.t('{0} (bytes)', title), text: (point) => said(point, String, '') },
      };
    };
    const position: Column<number> = {
      id: 'position',
      title: curve.kind === 'program' ? l10n.t('Position') : l10n.t('Program position'),
      width_px: curve.kind === 'program' ? 80 : 128,
      align: 'end',
      value: (point) => positionOf(curve, point),
      text: (point) => count(positionOf(curve, point)),
    };
    const number: Column<number> = {
      id: 'number',
      title: l10n.t('Op number'),
      meaning: l10n.t('Its place in the order of execution'),
      width_px: 96,
      align: 'end',
      value: (point) => curve.places[point] ?? 0,
      text: (point) => count(curve.places[point] ?? 0),
    };
    const op: Column<number> = {
      id: 'op',
      title: l10n.t('Op'),
      width_px: 200,
      least_px: 112,
      fills: 1,
      isCode: true,
      value: (point) => curve.ops[point] ?? '',
      text: (point) => curve.ops[point] ?? '',
    };
    return [
      ...(curve.kind === 'program' ? [] : [number]),
      position,
      op,
      bytes('own', l10n.t('Makes'), l10n.t('The buffers that the op defines'), (facts) => facts.own_bytes),
      bytes('bytes', l10n.t('In memory'), l10n.t('With padding'), (facts) => facts.bytes),
      bytes('unpadded', l10n.t('Unpadded'), l10n.t('Without padding'), (facts) => facts.unpadded_bytes),
      bytes(
        'change',
        l10n.t('Change'),
        curve.kind === 'program' ? l10n.t('From the position before') : l10n.t('From the op before, as they run'),
        (facts) => facts.change_bytes,
        signedBytes,
      ),
    ];
  }, [curve, own, mark]);
  return (
    <div class="view-table">
      <Table
        label={l10n.t('Memory by position')}
        columns={columns}
        state={state}
        search=""
        roots={points}
        keyOf={String}
        onOpen={(point) => {
          props.onPick(point);
          return true;
        }}
        nothingFound=""
      />
    </div>
  );
}
