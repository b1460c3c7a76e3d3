// What tests ask of the tables, the tool rows and the icicles of pages.

import { found, rowName } from './fakePage';

/** The first of some elements that is so, which must be there. */
function firstOf(elements: readonly HTMLElement[], what: string, isSo: (element: HTMLElement) => boolean): HTMLElement {
  const one = elements.find(isSo);
  if (one === undefined) {
    throw new Error(`No ${what} is on the page`);
  }
  return one;
}

/** The table of a page by what its rows say. */
export function rowsIn(element: ParentNode) {
  const all = () => [...element.querySelectorAll<HTMLElement>('main .row')];
  return {
    rows: () => all().map(({ textContent }) => textContent),
    row: (text: string) => firstOf(all(), `row with ${text}`, ({ textContent }) => textContent.includes(text)),
    selected: () => element.querySelector('main [aria-selected=true]')?.textContent,
  };
}

/** A table by what its rows are named. */
export function namedRowsIn(table: () => ParentNode) {
  const all = () => [...table().querySelectorAll<HTMLElement>('.row')];
  return {
    names: () => all().map(rowName),
    row: (name: string) => firstOf(all(), `row named ${name}`, (row) => rowName(row) === name),
    selected: () => {
      const row = table().querySelector('[role=row][aria-selected=true]');
      return row === null ? undefined : rowName(row);
    },
  };
}

/** A button above the table. */
export function toolButton(element: ParentNode, text: string): HTMLElement {
  const buttons = [...element.querySelectorAll<HTMLElement>('.tool-row button')];
  return firstOf(buttons, `button ${text}`, ({ textContent }) => textContent.trim() === text);
}

/** The icicle of a page. */
export function icicleIn(element: ParentNode) {
  return {
    chart: () => found(element, '[role=application]'),
    readout: () => found(element, '.icicle .readout').textContent,
    path: () => element.querySelector('.icicle-path')?.textContent ?? '',
  };
}
