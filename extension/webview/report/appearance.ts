// Light, dark or of high contrast: as the reader's system has it, until they choose.

import { effect, signal } from '@preact/signals';
import themes from './themes.json';

const THEMES = {
  light: { colours: themes['Light Modern'], kind: 'vscode-light' },
  dark: { colours: themes['Dark Modern'], kind: 'vscode-dark' },
  contrast: { colours: themes['Dark High Contrast'], kind: 'vscode-high-contrast' },
} as const;

export type Appearance = keyof typeof THEMES;

export const APPEARANCES = Object.keys(THEMES) as readonly Appearance[];

/** The one that is shown. */
export const appearance = signal<Appearance>('light');

/** Shows pages in what the system prefers, then in what is chosen. */
export function startAppearance(): void {
  const prefers = (query: string): boolean => window.matchMedia(query).matches;
  const isContrast = prefers('(prefers-contrast: more)');
  appearance.value = isContrast ? 'contrast' : prefers('(prefers-color-scheme: dark)') ? 'dark' : 'light';
  effect(() => {
    const { colours, kind } = THEMES[appearance.value];
    const root = document.documentElement;
    root.removeAttribute('style');
    for (const [name, value] of Object.entries(colours)) {
      root.style.setProperty(name, value);
    }
    root.style.colorScheme = appearance.value === 'light' ? 'light' : 'dark';
    document.body.className = kind;
  });
}
