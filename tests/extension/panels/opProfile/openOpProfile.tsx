// The panel of the op profile, open in a page.

import { OpProfile } from '../../../../extension/webview/panels/opProfile/opProfile';
import { click, FakeHost, found, rendered } from '../shared/fakePage';
import { aProfileRow, MS, profileView } from '../shared/madeOps';
import { namedRowsIn, toolButton } from '../shared/rowsIn';

export async function openOpProfile(view = profileView(), host = new FakeHost()) {
  const element = await rendered(host.page('opProfile'), <OpProfile />);
  await host.facts();
  await host.answer(view);
  const { names, row, selected } = namedRowsIn(() => found(element, 'main'));
  const expand = (name: string) => click(found(row(name), '.twistie'));
  const cell = (name: string, column: string) => {
    const at = [...element.querySelectorAll('main [role=columnheader]')].findIndex((header) =>
      header.textContent.startsWith(column),
    );
    return found(row(name), `[role=gridcell]:nth-child(${at + 1})`);
  };
  const button = (text: string) => toolButton(element, text);
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
