// What moves the view: zooming, panning, the whole run.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { whole } from '../state/viewport';
import { centre_ps, type MotionWay } from '../tools/motion';
import type { ActionOfGroup } from './action';

const ZOOM_STEP = 1.5;

export function viewActions({ state, selecting, motion }: Timeline): readonly ActionOfGroup[] {
  const moving = (way: MotionWay, label: string, key: string): ActionOfGroup => ({
    id: way,
    label,
    keys: [key],
    held: way,
    run: () => {
      motion.start(way);
      motion.stop(way);
    },
  });
  const zooming = (id: string, label: string, keys: readonly string[], factor: number): ActionOfGroup => ({
    id,
    label,
    keys,
    run: () => state.zoom(factor, centre_ps(state)),
  });
  const toEnd = (id: string, label: string, key: string, way: -1 | 1): ActionOfGroup => ({
    id,
    label,
    keys: [key],
    onPictureOnly: true,
    run: () => state.pan(way * state.duration_ps.value),
  });
  return [
    moving('in', l10n.t('Zoom In, Held'), 'w'),
    moving('out', l10n.t('Zoom Out, Held'), 's'),
    moving('left', l10n.t('Move Left, Held'), 'a'),
    moving('right', l10n.t('Move Right, Held'), 'd'),
    zooming('zoomIn', l10n.t('Zoom In'), ['+', '='], 1 / ZOOM_STEP),
    zooming('zoomOut', l10n.t('Zoom Out'), ['-'], ZOOM_STEP),
    {
      id: 'fit',
      label: l10n.t('Zoom to Selection'),
      keys: ['f'],
      run: () => selecting.zoomToSelection(),
      isOffered: () => selecting.selected !== null,
    },
    {
      id: 'whole',
      label: l10n.t('Show All'),
      keys: ['0'],
      run: () => (state.view.value = whole(state.duration_ps.value)),
    },
    toEnd('start', l10n.t('Go to the Start'), 'Home', -1),
    toEnd('end', l10n.t('Go to the End'), 'End', 1),
  ];
}
