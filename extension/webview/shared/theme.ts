// Colours of the theme for what is drawn by hand; style sheets use the variables themselves.

import { type ReadonlySignal, signal } from '@preact/signals';

/** The phases of training, each with its fixed hue. */
export const PHASES = ['forward', 'backward', 'recompute', 'optimizer', 'other'] as const;
export type Phase = (typeof PHASES)[number];

const generation = signal(0);
let observed = false;

/** Changes whenever the theme does: read it where something is drawn with `themeColour`. */
export function themeGeneration(): ReadonlySignal<number> {
  if (!observed) {
    observed = true;
    const observer = new MutationObserver(() => (generation.value += 1));
    // VS Code sets the variables as the root's style and the kind of theme as the body's class.
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
    observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  }
  return generation;
}

/** Whether the theme is one of high contrast: only those have borders of their own around everything. */
export function isHighContrast(): boolean {
  return themeColour('--vscode-contrastBorder') !== '';
}

/** The present value of a custom property such as `--vscode-foreground`. */
export function themeColour(variable: `--${string}`): string {
  return getComputedStyle(document.body).getPropertyValue(variable).trim();
}
