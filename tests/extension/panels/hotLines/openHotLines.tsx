// The panel of the hot lines, open in a page.

import { HotLines } from '../../../../extension/webview/panels/hotLines/hotLines';
import { FakeHost, found, rendered } from '../shared/fakePage';
import { rowsIn } from '../shared/rowsIn';
import { aView } from './madeLines';

export async function openHotLines(view = aView(), host = new FakeHost()) {
  const element = await rendered(host.page(), <HotLines />);
  await host.facts();
  await host.answer(view);
  const details = () => found(element, 'aside').textContent;
  const headers = () => [...element.querySelectorAll('main [role=columnheader]')].map((header) => header.textContent);
  return { element, host, ...rowsIn(element), details, headers };
}
