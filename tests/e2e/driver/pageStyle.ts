import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../development.js';
import type { Colours } from './themeColours.js';

/** Letters that are the same everywhere: those of a package, and not of the machine. */
function fonts(): string {
  const face = (family: string, name: string, weight: number, subset: string) => {
    const file = path.join(root, `node_modules/@fontsource/${name}/files/${name}-${subset}-${weight}-normal.woff2`);
    return `@font-face { font-family: ${family}; font-weight: ${weight}; src: url(${pathToFileURL(file).href}) }`;
  };
  return [
    ...[400, 600].map((weight) => face('Letters', 'roboto', weight, 'latin')),
    face('Code', 'roboto-mono', 400, 'latin'),
    face('Signs', 'roboto', 400, 'math'),
    face('Arrows', 'roboto', 400, 'symbols'),
    ':root { --vscode-font-family: Letters, Signs, Arrows; --vscode-font-size: 13px; --vscode-font-weight: normal;',
    '--vscode-editor-font-family: Code, Signs, Arrows; --vscode-editor-font-size: 12px }',
  ].join('\n');
}

/** What an editor gives a page: its colours, and letters. */
export function pageStyle(colours: Colours): string {
  const variables = Object.entries(colours).map(([name, value]) => `${name}: ${value};`);
  return `${fonts()}\n:root { ${variables.join(' ')} }`;
}
