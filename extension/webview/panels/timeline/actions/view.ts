// What moves the view: zooming, panning, the whole run, the way from one step to the next.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { stepBeside, stepInSight, stepSpan } from '../state/steps';
import { whole } from '../state/viewport';
import { centre_ps, type MotionWay } from '../tools/motion';
import { action, type ActionOfGroup } from './action';

const ZOOM_STEP = 1.5;

export function viewActions({ state, selecting, motion }: Timeline): readonly ActionOfGroup[] {
  const tap = (way: MotionWay): void => {
    motion.start(way);
    motion.stop(way);
  };
  const zoom = (factor: number): void => state.zoom(factor, centre_ps(state));
  const toEnd = (way: -1 | 1): void => state.pan(way * state.duration_ps.value);
  return [
    action('in', l10n.t('Zoom In, Held'), ['w'], () => tap('in'), { held: 'in' }),
    action('out', l10n.t('Zoom Out, Held'), ['s'], () => tap('out'), { held: 'out' }),
    action('left', l10n.t('Move Left, Held'), ['a'], () => tap('left'), { held: 'left' }),
    action('right', l10n.t('Move Right, Held'), ['d'], () => tap('right'), { held: 'right' }),
    action('zoomIn', l10n.t('Zoom In'), ['+', '='], () => zoom(1 / ZOOM_STEP)),
    action('zoomOut', l10n.t('Zoom Out'), ['-'], () => zoom(ZOOM_STEP)),
    action('fit', l10n.t('Zoom to Selection'), ['f'], () => selecting.zoomToSelection(), {
      isOffered: () => selecting.selected !== null,
    }),
    action('whole', l10n.t('Show All'), ['0'], () => (state.view.value = whole(state.duration_ps.value))),
    action('start', l10n.t('Go to the Start'), ['Home'], () => toEnd(-1), { onPictureOnly: true }),
    action('end', l10n.t('Go to the End'), ['End'], () => toEnd(1), { onPictureOnly: true }),
  ];
}

export function stepActions({ state }: Timeline): readonly ActionOfGroup[] {
  const isOffered = (): boolean => (state.record.value?.steps?.start_ps.length ?? 0) > 0;
  const toStep = (by: -1 | 0 | 1): void => {
    const steps = state.record.value?.steps ?? null;
    if (steps !== null && isOffered()) {
      const { value: view } = state.view;
      state.frame(stepSpan(steps, by === 0 ? Math.max(0, stepInSight(steps, view)) : stepBeside(steps, view, by)));
    }
  };
  return [
    action('previousStep', l10n.t('Previous Step'), ['['], () => toStep(-1), { isOffered }),
    action('nextStep', l10n.t('Next Step'), [']'], () => toStep(1), { isOffered }),
    action('zoomToStep', l10n.t('Zoom to Step'), ['z'], () => toStep(0), { isOffered }),
  ];
}
