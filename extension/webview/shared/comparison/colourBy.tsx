// What a picture is coloured by: what things are, or what became of them since another run.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { LegendEntry } from '../charts/legend';
import { Choice } from '../controls/choice';
import { usePage } from '../page/page';
import { wholeShare } from '../text/format';
import './changes.css';
import { useComparedWith } from './comparison';
import { type Direction, FULL_RATIO } from './tint';

export type ColouredBy = 'usual' | 'change';

/** By change as long as something is compared, until a person chooses otherwise. */
export function useColouredBy(): { readonly by: ColouredBy; readonly choose: (by: ColouredBy) => void } {
  const { saved } = usePage();
  const sides = useComparedWith().value;
  const chosen = saved.signal<ColouredBy>('colouredBy', 'change');
  const choose = useMemo(() => (by: ColouredBy) => (chosen.value = by), [chosen]);
  return { by: sides === null ? 'usual' : chosen.value, choose };
}

/** Nothing where nothing is compared. `usual` says what the colours are otherwise. */
export function ColourChoice(props: { readonly usual: string }) {
  const { by, choose } = useColouredBy();
  return useComparedWith().value === null ? null : (
    <div class="colour-choice">
      <span class="quiet">{l10n.t('Colour by')}</span>
      <Choice<ColouredBy>
        label={l10n.t('Colour by')}
        options={[
          { value: 'usual', label: props.usual },
          { value: 'change', label: l10n.t('Change') },
        ]}
        value={by}
        onChange={choose}
      />
    </div>
  );
}

/** What the colours, patterns and signs of changes mean. */
export function tintEntries(since: string): readonly LegendEntry[] {
  const entry = (direction: Direction, text: string): LegendEntry => ({
    mark: <span class={`swatch tint ${direction}`} aria-hidden="true" />,
    text,
  });
  return [
    entry('more', l10n.t('▲ more since {0}', since)),
    entry('less', l10n.t('▼ less')),
    entry('new', l10n.t('new')),
    entry('untold', l10n.t('± cannot be told')),
    { text: l10n.t('full colour: {0} of all', wholeShare(FULL_RATIO)) },
  ];
}
