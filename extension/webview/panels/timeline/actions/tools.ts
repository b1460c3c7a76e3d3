// Which tool the pointer is.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { TOOLS, type Tool } from '../state/state';
import type { ActionOfGroup } from './action';

function toolName(tool: Tool): string {
  switch (tool) {
    case 'select':
      return l10n.t('Select');
    case 'pan':
      return l10n.t('Pan');
    case 'zoom':
      return l10n.t('Zoom');
    case 'timing':
      return l10n.t('Mark Intervals');
  }
}

export function toolActions({ state }: Timeline): readonly ActionOfGroup[] {
  return TOOLS.map((tool, place) => ({
    id: tool,
    label: toolName(tool),
    keys: [String(place + 1)],
    run: () => (state.tool.value = tool),
  }));
}
