// The panel Hosts on a made page, and what tests ask of it.

import { act } from 'preact/test-utils';
import type { Selection } from '../../../../extension/src/panels/messages';
import type { HostsRecord } from '../../../../extension/src/protocol';
import { Hosts } from '../../../../extension/webview/panels/hosts/hosts';
import { click, FakeHost, found, rendered, rowName } from '../shared/fakePage';
import { hostsView } from './madeHosts';

export async function openHosts(values: Partial<HostsRecord> = {}, selection: Selection | null = null) {
  const host = new FakeHost();
  const element = await rendered(host.page('hosts'), <Hosts />);
  await host.facts({ selection });
  await host.answer(hostsView(values));
  const section = (title: string) => found(element, `section[aria-label="${title}"]`);
  const rowsOf = (title: string) => [...section(title).querySelectorAll<HTMLElement>('.table .row')];
  const select = (label: string) => {
    const all = [...element.querySelectorAll<HTMLElement>('label.select')];
    const one = all.find((each) => each.querySelector('span')?.textContent === label);
    return one === undefined ? null : found(one, 'select');
  };
  return {
    host,
    element,
    section,
    headline: () => [...element.querySelectorAll('.headline')].map(({ textContent }) => textContent),
    names: (title: string) => rowsOf(title).map(rowName),
    row: (title: string, name: string) => {
      const row = rowsOf(title).find((each) => rowName(each).includes(name));
      if (row === undefined) {
        throw new Error(`No row of ${title} has ${name}`);
      }
      return row;
    },
    map: () => found(element, '.heat-place'),
    readout: () => found(section('Cores'), '.readout').textContent,
    pane: () => found(element, 'aside').textContent,
    scale: () => found(element, '.heat-scale').textContent,
    optionsOf: (label: string) =>
      [...(select(label)?.querySelectorAll('option') ?? [])].map((each) => each.textContent),
    choose: (label: string, option: string) =>
      act(() => {
        const list = select(label) as HTMLSelectElement;
        list.selectedIndex = [...list.options].findIndex(({ textContent }) => textContent.includes(option));
        list.dispatchEvent(new Event('change', { bubbles: true }));
      }),
    slide: (to: number) =>
      act(() => {
        const slider = found(element, 'input[type=range]') as HTMLInputElement;
        slider.value = String(to);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    asTable: (title: string) => click(found(section(title), 'vscode-toolbar-button')),
    press: async (text: string) => {
      const button = [...element.querySelectorAll('button')].find(({ textContent }) => textContent === text);
      await click(button as Element);
    },
  };
}
