// The controls above the tree of the Op Profile, and the state that they keep.

import * as l10n from '@vscode/l10n';
import type { Signal } from '@preact/signals';
import type { OpProfileGrouping } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { Select } from '../../shared/controls/select';
import type { SavedState } from '../../shared/page/state';
import type { Sort } from '../../shared/table/columns';
import { Toggle } from '../../shared/controls/toggle';
import { TIME_COLUMN, WASTED_COLUMN } from './columns';

const LIMITS = ['10', '20', '30', '40', '50', '60', '70', '80', '90', '100'] as const;
type Limit = (typeof LIMITS)[number];

export type ProfileState = ReturnType<typeof profileState>;

export function profileState(saved: SavedState) {
  return {
    grouping: saved.signal<OpProfileGrouping>('grouping', 'category'),
    search: saved.signal('search', ''),
    /** Shows the most expensive rows below each row first. */
    top: saved.signal('top', true),
    limit: saved.signal<Limit>('limit', '10'),
    /** Shows the rows that make up 90 % below each row first. */
    most: saved.signal('most', false),
    // Shares are then of the op time, as everywhere else.
    withoutIdle: saved.signal('withoutIdle', true),
  };
}

export function Tools(props: {
  readonly state: ProfileState;
  readonly sort: Signal<Sort>;
  readonly hasIdle: boolean;
  /** Whether it is known of any row what it wasted. */
  readonly hasWasted: boolean;
}) {
  const { state, sort } = props;
  return (
    <>
      <Choice<OpProfileGrouping>
        label={l10n.t('Group by')}
        options={[
          { value: 'category', label: l10n.t('Category') },
          { value: 'program', label: l10n.t('Program') },
          { value: 'scope', label: l10n.t('Scope') },
          { value: 'line', label: l10n.t('Source Line') },
        ]}
        value={state.grouping.value}
        onChange={(grouping) => (state.grouping.value = grouping)}
      />
      {props.hasWasted ? (
        <Choice
          label={l10n.t('Order by')}
          options={[
            { value: TIME_COLUMN, label: l10n.t('Time') },
            { value: WASTED_COLUMN, label: l10n.t('Wasted Time') },
          ]}
          value={sort.value.column === WASTED_COLUMN ? WASTED_COLUMN : TIME_COLUMN}
          onChange={(column) => (sort.value = { column, descending: true })}
        />
      ) : null}
      <Toggle
        label={l10n.t('Top {0}', state.limit.value)}
        meaning={l10n.t('Shows the most expensive rows below each row; the others are below one row that opens')}
        pressed={state.top.value}
        onChange={(pressed) => (state.top.value = pressed)}
      />
      <Select
        label={l10n.t('Limit')}
        options={LIMITS.map((limit) => ({ value: limit, label: limit }))}
        value={state.limit.value}
        onChange={(limit) => (state.limit.value = limit)}
      />
      <Toggle
        label={l10n.t('Top 90 %')}
        meaning={l10n.t('Shows the rows that make up 90 % below each row; the others are below one row that opens')}
        pressed={state.most.value}
        onChange={(pressed) => (state.most.value = pressed)}
      />
      {props.hasIdle ? (
        <Toggle
          label={l10n.t('Exclude Idle')}
          meaning={l10n.t('Leaves out the time when no op ran: shares are of the op time alone')}
          pressed={state.withoutIdle.value}
          onChange={(pressed) => (state.withoutIdle.value = pressed)}
        />
      ) : null}
    </>
  );
}
