// The panel of the hot lines, open in a page.

import { HotLines } from '../../../../extension/webview/panels/hotLines/hotLines';
import { FakeHost, found, rendered } from '../shared/fakePage';
import { aView } from './madeLines';

export async function openHotLines(view = aView(), host = new FakeHost()) {
  const element = await rendered(host.page(), <HotLines />);
  await host.facts();
  await host.answer(view);
  const rows = () => [...element.querySelectorAll<HTMLElement>('.row')].map((row) => row.textContent);
  const row = (text: string) => {
    const one = [...element.querySelectorAll<HTMLElement>('.row')].find((each) => each.textContent.includes(text));
    if (one === undefined) {
      throw new Error(`No row has ${text}`);
    }
    return one;
  };
  const details = () => found(element, 'aside').textContent;
  const headers = () => [...element.querySelectorAll('main [role=columnheader]')].map((header) => header.textContent);
  return { element, host, rows, row, details, headers };
}
