// The tools of a flame graph: what is measured, which frames, and how it is drawn.

import * as l10n from '@vscode/l10n';
import type { FlameMeasure } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { Select } from '../../shared/controls/select';
import { Toggle } from '../../shared/controls/toggle';
import type { SavedState } from '../../shared/page/state';
import { measureName, MEASURES } from './words';

export type Layout = 'flame' | 'icicle';
export type Order = 'greatest' | 'time';
export type Rows = 'stacks' | 'lines';

export type Chosen = ReturnType<typeof chosenIn>;

/** What is chosen, kept over a reload. */
export function chosenIn(saved: SavedState) {
  return {
    /** Null: what there is most to say of. */
    measure: saved.signal<FlameMeasure | null>('measure', null),
    libraries: saved.signal('libraries', false),
    layout: saved.signal<Layout>('layout', 'flame'),
    order: saved.signal<Order>('order', 'greatest'),
    rows: saved.signal<Rows>('rows', 'stacks'),
  };
}

export function Tools(props: { readonly chosen: Chosen; readonly measure: FlameMeasure }) {
  const { measure, libraries, layout, order, rows } = props.chosen;
  return (
    <>
      <Select
        label={l10n.t('Width')}
        options={MEASURES.map((value) => ({ value, label: measureName(value) }))}
        value={props.measure}
        onChange={(value) => (measure.value = value)}
      />
      <Choice
        label={l10n.t('Picture')}
        options={[
          { value: 'flame', label: l10n.t('Flame') },
          { value: 'icicle', label: l10n.t('Icicle') },
        ]}
        value={layout.value}
        onChange={(value) => (layout.value = value)}
      />
      <Choice
        label={l10n.t('Order of calls')}
        options={[
          { value: 'greatest', label: l10n.t('Left heavy') },
          { value: 'time', label: l10n.t('First run') },
        ]}
        value={order.value}
        onChange={(value) => (order.value = value)}
      />
      <Choice
        label={l10n.t('Rows')}
        options={[
          { value: 'stacks', label: l10n.t('Stacks') },
          { value: 'lines', label: l10n.t('Lines') },
        ]}
        value={rows.value}
        onChange={(value) => (rows.value = value)}
      />
      <Toggle
        label={l10n.t('Libraries')}
        meaning={l10n.t('Show stacks as recorded, with the frames of libraries')}
        pressed={libraries.value}
        onChange={(pressed) => (libraries.value = pressed)}
      />
    </>
  );
}
