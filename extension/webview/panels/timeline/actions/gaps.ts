// The way from one gap of a device to the next.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { action, type ActionOfGroup } from './action';

export function gapActions({ gaps }: Timeline): readonly ActionOfGroup[] {
  const isOffered = (): boolean => gaps.isKnown;
  const toGap = (by: -1 | 1) => (): void => {
    if (gaps.isKnown) {
      void gaps.step(by);
    }
  };
  return [
    action('nextGap', l10n.t('Next Gap'), ['g'], toGap(1), { isOffered }),
    action('previousGap', l10n.t('Previous Gap'), ['b'], toGap(-1), { isOffered }),
  ];
}
