// The panel of the op profile, open in a page.

import { OpProfile } from '../../../../extension/webview/panels/opProfile/opProfile';
import { click, FakeHost, found, rendered, rowName } from '../shared/fakePage';
import { aProfileRow, MS, profileView } from '../shared/madeOps';

export async function openOpProfile(view = profileView(), host = new FakeHost()) {
  const element = await rendered(host.page('opProfile'), <OpProfile />);
  await host.facts();
  await host.answer(view);
  const elements = () => [...element.querySelectorAll<HTMLElement>('main .row')];
  const names = () => elements().map(rowName);
  const row = (name: string) => {
    const one = elements().find((each) => rowName(each) === name);
    if (one === undefined) {
      throw new Error(`No row is ${name}`);
    }
    return one;
  };
  const expand = (name: string) => click(found(row(name), '.twistie'));
  const cell = (name: string, column: string) => {
    const at = [...element.querySelectorAll('main [role=columnheader]')].findIndex((header) =>
      header.textContent.startsWith(column),
    );
    return found(row(name), `[role=gridcell]:nth-child(${at + 1})`);
  };
  const button = (text: string) => {
    const one = [...element.querySelectorAll<HTMLElement>('.tool-row button')].find(
      (each) => each.textContent === text,
    );
    if (one === undefined) {
      throw new Error(`No button is ${text}`);
    }
    return one;
  };
  const selected = () => {
    const row = element.querySelector('main [role=row][aria-selected=true]');
    return row === null ? undefined : rowName(row);
  };
  const status = () => found(element, '.status-line').textContent;
  return { element, host, names, row, expand, cell, button, selected, status };
}

/** A category with so many ops: 100, 99, 98, … ms. */
export function manyOps(count: number) {
  return profileView({
    rows: [
      aProfileRow({ key: 'total', depth: 0, kind: 'total', label: 'total' }),
      ...Array.from({ length: count }, (_, index) =>
        aProfileRow({
          key: `7/op.${String(index)}`,
          op_key: `7/op.${String(index)}`,
          depth: 1,
          label: `op.${String(index)}`,
          self_ps: (100 - index) * MS,
          wasted_ps: index * MS,
        }),
      ),
    ],
  });
}

export const restored = (values: Record<string, unknown>) => {
  const host = new FakeHost();
  host.state = { panel: 'opProfile', values };
  return host;
};
