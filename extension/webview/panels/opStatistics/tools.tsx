// The controls of Op Statistics, and the state that they keep.

import * as l10n from '@vscode/l10n';
import type { OpRow } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { Icon } from '../../shared/controls/elements';
import { grouped } from '../../shared/grouped';
import { count } from '../../shared/text/format';
import { sideWord } from '../../shared/op/words';
import type { SavedState } from '../../shared/page/state';
import type { TypesShown } from './typesView';

export type Side = OpRow['side'];

export type StatisticsState = ReturnType<typeof statisticsState>;

export function statisticsState(saved: SavedState) {
  return {
    search: saved.signal('search', ''),
    searchIn: saved.signal<'name' | 'type'>('searchIn', 'name'),
    side: saved.signal<Side | 'all'>('side', 'all'),
    /** The key of the type whose ops are shown alone. */
    type: saved.signal<string | null>('type', null),
    types: saved.signal<TypesShown>('types', 'table'),
    /** Null where nobody chose. */
    columns: saved.signal<readonly string[] | null>('columns', null),
  };
}

/** How the types are shown, and of which side they and the ops are. */
export function TypeTools(props: { readonly state: StatisticsState; readonly rows: readonly OpRow[] }) {
  const { state } = props;
  const sides = grouped(props.rows, ({ side }) => side);
  return (
    <div class="tool-row">
      <Choice<TypesShown>
        label={l10n.t('Types as')}
        options={[
          { value: 'table', label: l10n.t('Table') },
          { value: 'bars', label: l10n.t('Bars') },
          { value: 'pie', label: l10n.t('Pie') },
          { value: 'none', label: l10n.t('Hidden') },
        ]}
        value={state.types.value}
        onChange={(types) => (state.types.value = types)}
      />
      {sides.size < 2 ? null : (
        <Choice<Side | 'all'>
          label={l10n.t('Side')}
          options={[
            { value: 'all', label: l10n.t('All sides') },
            ...[...sides].map(([side, ops]) => ({ value: side, label: `${sideWord(side).text} ${count(ops.length)}` })),
          ]}
          value={state.side.value}
          onChange={(side) => (state.side.value = side)}
        />
      )}
    </div>
  );
}

/** Where is searched, and which type is shown alone. */
export function SearchTools(props: {
  readonly state: StatisticsState;
  /** The type whose ops are shown alone, by name. */
  readonly type: string | null;
}) {
  const { state, type } = props;
  return (
    <>
      <Choice
        label={l10n.t('Search in')}
        options={[
          { value: 'name', label: l10n.t('Name') },
          { value: 'type', label: l10n.t('Type') },
        ]}
        value={state.searchIn.value}
        onChange={(searchIn) => (state.searchIn.value = searchIn)}
      />
      {type === null ? null : (
        <button
          type="button"
          class="toggle"
          aria-pressed="true"
          title={l10n.t('Show the ops of all types')}
          onClick={() => (state.type.value = null)}
        >
          {type} <Icon name="close" />
        </button>
      )}
    </>
  );
}
