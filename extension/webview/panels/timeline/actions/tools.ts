// Which tool the pointer is.

import * as l10n from '@vscode/l10n';
import type { Timeline } from '../state/controller';
import { TOOLS, type Tool } from '../state/state';
import type { ActionOfGroup } from './action';

function toolName(tool: Tool): string {
  return {
    select: l10n.t('Select'),
    pan: l10n.t('Pan'),
    zoom: l10n.t('Zoom'),
    timing: l10n.t('Mark Intervals'),
  }[tool];
}

export function toolActions({ state }: Timeline): readonly ActionOfGroup[] {
  return TOOLS.map((tool, place) => ({
    id: tool,
    label: toolName(tool),
    keys: [String(place + 1)],
    run: () => (state.tool.value = tool),
  }));
}
