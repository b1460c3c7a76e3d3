// What moves the view: zooming, panning, the whole run.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { centre_ps, type MotionWay } from '../tools/motion';
import { panned, whole, zoomed } from '../state/viewport';
import { type Action, always } from './action';

const ZOOM_STEP = 1.5;

export function viewActions({ state, selecting, motion }: Timeline): readonly Action[] {
  const moving = (id: string, label: string, key: string, way: MotionWay): Action => ({
    id,
    group: 'view',
    label,
    keys: [key],
    held: way,
    run: () => {
      motion.start(way);
      motion.stop(way);
    },
    isOffered: always,
  });
  const zoomBy = (factor: number) => () => {
    state.view.value = zoomed(state.view.value, factor, centre_ps(state), state.duration_ps.value);
  };
  const panToEnd = (way: -1 | 1) => () => {
    const { value: duration_ps } = state.duration_ps;
    state.view.value = panned(state.view.value, way * duration_ps, duration_ps);
  };
  return [
    moving('in', l10n.t('Zoom In, Held'), 'w', 'in'),
    moving('out', l10n.t('Zoom Out, Held'), 's', 'out'),
    moving('left', l10n.t('Move Left, Held'), 'a', 'left'),
    moving('right', l10n.t('Move Right, Held'), 'd', 'right'),
    {
      id: 'zoomIn',
      group: 'view',
      label: l10n.t('Zoom In'),
      keys: ['+', '='],
      run: zoomBy(1 / ZOOM_STEP),
      isOffered: always,
    },
    {
      id: 'zoomOut',
      group: 'view',
      label: l10n.t('Zoom Out'),
      keys: ['-'],
      run: zoomBy(ZOOM_STEP),
      isOffered: always,
    },
    {
      id: 'fit',
      group: 'view',
      label: l10n.t('Zoom to Selection'),
      keys: ['f'],
      run: () => selecting.zoomToSelection(),
      isOffered: () => selecting.selected !== null,
    },
    {
      id: 'whole',
      group: 'view',
      label: l10n.t('Show All'),
      keys: ['0'],
      run: () => (state.view.value = whole(state.duration_ps.value)),
      isOffered: always,
    },
    {
      id: 'start',
      group: 'view',
      label: l10n.t('Go to the Start'),
      keys: ['Home'],
      onPictureOnly: true,
      run: panToEnd(-1),
      isOffered: always,
    },
    {
      id: 'end',
      group: 'view',
      label: l10n.t('Go to the End'),
      keys: ['End'],
      onPictureOnly: true,
      run: panToEnd(1),
      isOffered: always,
    },
  ];
}
