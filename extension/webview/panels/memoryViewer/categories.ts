// What a buffer is there for: its name, hue and pattern.

import * as l10n from '@vscode/l10n';
import type { MemoryBuffer } from '../../../src/protocol';
import { hatched, type HatchName } from '../../shared/charts/hatch';
import { themeColour } from '../../shared/theme';

export type Category = MemoryBuffer['category'];

/** In the order of the legend: what is there throughout, then temporaries. */
export const CATEGORIES = ['parameter', 'output', 'constant', 'thread-local', 'temporary'] as const;

/** Each category's hue; its pattern says the same. memoryViewer.css has them for elements. */
const looks: Readonly<Record<Category, { readonly hue: `--${string}`; readonly hatch: HatchName }>> = {
  parameter: { hue: '--vscode-charts-blue', hatch: 'plain' },
  output: { hue: '--vscode-charts-green', hatch: 'vertical' },
  constant: { hue: '--vscode-charts-purple', hatch: 'horizontal' },
  'thread-local': { hue: '--vscode-charts-yellow', hatch: 'dense' },
  temporary: { hue: '--vscode-charts-orange', hatch: 'diagonal' },
};

export interface CategoryFill {
  readonly hue: string;
  readonly pattern: string | CanvasPattern;
}

/** What to fill the buffers of each category with on a canvas: the hue alone, or the hue in its pattern. */
export function categoryFills(context: CanvasRenderingContext2D): Readonly<Record<Category, CategoryFill>> {
  const fill = (category: Category): CategoryFill => {
    const hue = themeColour(looks[category].hue);
    return { hue, pattern: hatched(context, hue, looks[category].hatch) };
  };
  return Object.fromEntries(CATEGORIES.map((category) => [category, fill(category)])) as Record<Category, CategoryFill>;
}

export function categoryName(category: Category): string {
  return {
    parameter: l10n.t('parameter'),
    output: l10n.t('output'),
    constant: l10n.t('constant'),
    'thread-local': l10n.t('thread-local'),
    temporary: l10n.t('temporary'),
  }[category];
}
