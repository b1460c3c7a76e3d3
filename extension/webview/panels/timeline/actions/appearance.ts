// How the picture looks by a person's choice: what colours mean, and how many levels of scopes are shown.

import * as l10n from '@vscode/l10n';
import { greatest } from '../../../shared/table/greatest';
import type { TimelineRecord } from '../../../../src/protocol';
import type { ActionOfGroup } from './action';
import type { Timeline } from '../state/controller';
import { type Colouring, COLOURINGS } from '../state/state';

/** More levels than this are not told apart any more. */
const MOST_LEVELS = 8;

export function colouringName(colouring: Colouring): string {
  return {
    phase: l10n.t('phase'),
    name: l10n.t('name'),
    scope: l10n.t('scope'),
    step: l10n.t('step'),
  }[colouring];
}

/** How many levels of scopes can be shown: none where the run has no scopes. */
export function mostLevels(record: TimelineRecord | null): number {
  const scopes = (record?.sections ?? []).flatMap(({ tracks }) => tracks.filter(({ kind }) => kind === 'scopes'));
  return Math.min(
    MOST_LEVELS,
    greatest(scopes, ({ depths }) => depths ?? MOST_LEVELS),
  );
}

/** The same as the lists of the toolbar do, for where there is no room for those. */
export function appearanceActions({ state }: Timeline): readonly ActionOfGroup[] {
  const levels = (): number => Math.min(state.levels.value, mostLevels(state.record.value));
  return [
    ...COLOURINGS.map((colouring) => ({
      id: `colour ${colouring}`,
      label: l10n.t('Colour by {0}', colouringName(colouring)),
      run: () => (state.colouring.value = colouring),
      isOffered: () => state.colouring.value !== colouring,
    })),
    {
      id: 'moreLevels',
      label: l10n.t('Show One More Level of Scopes'),
      run: () => (state.levels.value = levels() + 1),
      isOffered: () => levels() < mostLevels(state.record.value),
    },
    {
      id: 'fewerLevels',
      label: l10n.t('Show One Level of Scopes Fewer'),
      run: () => (state.levels.value = levels() - 1),
      isOffered: () => levels() > 0,
    },
    {
      id: 'allSections',
      label: l10n.t('Show All Devices and Hosts'),
      run: () => (state.section.value = null),
      isOffered: () => state.section.value !== null,
    },
  ];
}
