// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { type PanelId, panels } from '../../../../extension/src/panels/registry';
import type { ExtentRecord } from '../../../../extension/src/protocol';
import { Flame } from '../../../../extension/webview/panels/flame/flame';
import { Flops } from '../../../../extension/webview/panels/flops/flops';
import { HotLines } from '../../../../extension/webview/panels/hotLines/hotLines';
import { OpProfile } from '../../../../extension/webview/panels/opProfile/opProfile';
import { OpStatistics } from '../../../../extension/webview/panels/opStatistics/opStatistics';
import { Roofline } from '../../../../extension/webview/panels/roofline/roofline';
import { extentText } from '../../../../extension/webview/shared/op/extent';
import { flameView } from '../flame/madeFlame';
import { flopsView } from '../flops/madeFlops';
import { aView } from '../hotLines/madeLines';
import { rooflineView } from '../roofline/madeRoofline';
import { FakeHost, click, found, giveElementsSize, rendered } from './fakePage';
import { aProgram, anExtent, aWindow } from './madeExtents';
import { aFinding } from './madeFindings';
import { opsView, profileView } from './madeOps';

beforeEach(() => giveElementsSize(1400, 900));

const withScope: readonly (readonly [PanelId, () => preact.JSX.Element, (extent: ExtentRecord) => unknown])[] = [
  ['hotLines', () => <HotLines />, (extent) => aView({ extent })],
  ['opProfile', () => <OpProfile />, (extent) => profileView({ extent })],
  ['opStatistics', () => <OpStatistics />, (extent) => opsView({ extent })],
  ['flops', () => <Flops />, (extent) => flopsView({ extent })],
  ['flame', () => <Flame />, (extent) => flameView({ extent })],
  ['roofline', () => <Roofline />, (extent) => rooflineView({ extent })],
];

describe.each(withScope)('%s', (panel, content, viewOf) => {
  async function open(extent = anExtent()) {
    const host = new FakeHost();
    const element = await rendered(host.page(panel), content());
    await host.facts();
    await host.answer(viewOf(extent));
    const control = found(element, '.top-bar label.scope select') as HTMLSelectElement;
    return { host, element, control };
  }

  test('has one control of what is looked at, which is labelled and sets it for everything', async () => {
    const { host, element, control } = await open();
    expect(element.querySelectorAll('label.scope')).toHaveLength(1);
    expect(control.closest('label')?.textContent).toMatch(/^Looked at/);
    expect([...control.options].map(({ text }) => text)).toEqual([
      'Complete steps',
      'Whole window',
      'Outside of steps',
    ]);
    expect(control.value).toBe('steps');
    expect(control.disabled).toBe(false);
    await act(() => {
      control.selectedIndex = 1;
      control.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(host.sent.at(-1)).toEqual({ type: 'chooseScope', scope: 'window' });
  });

  test('follows what is chosen elsewhere, and asks for its record anew', async () => {
    const { host, control } = await open();
    const asked = host.request.id;
    await host.facts({ scope: 'outside', recordsGeneration: 1 });
    expect(control.value).toBe('outside');
    expect(host.request.id).toBeGreaterThan(asked);
    expect(panels[panel].dependsOn).toContain('settings');
  });

  test('offers no choice where the run has no steps, and says why', async () => {
    const { control, host } = await open(aWindow(100, { has_steps: false }));
    await host.facts({ scope: 'outside' });
    expect(control.value).toBe('window');
    expect(control.disabled).toBe(true);
    expect(control.closest('label')?.title).toContain('no steps');
  });

  test('leads back where nothing ran in what is looked at', async () => {
    const host = new FakeHost();
    const element = await rendered(host.page(panel), content());
    await host.facts({ scope: 'outside' });
    const { record, ...view } = viewOf(aWindow(100, { kind: 'outside' })) as ReturnType<typeof profileView>;
    const why = aFinding('empty', 'No op ran outside of the complete steps.', { code: 'no-op-outside-steps' });
    await host.answer({ ...view, record: { ...record, rows: [], total: 0, findings: [why] } });
    expect(element.textContent).toContain('No op ran outside of the complete steps.');
    await click(found(element, 'vscode-button'));
    expect(host.sent.at(-1)).toEqual({ type: 'run', command: 'scopelight.selectScope' });
  });
});

test.each([
  [anExtent(), 'over 5 complete steps'],
  [anExtent({ steps: 1 }), 'over 1 complete step'],
  [aWindow(1200), 'over the whole window, 1.20 s'],
  [aWindow(1200, { devices: 4 }), 'over the whole window, 1.20 s × 4 devices'],
  [aWindow(300, { kind: 'outside' }), 'outside of complete steps, 300 ms'],
  [aProgram, 'of one run of the program, which did not run'],
])('%j is in words: %s', (extent, words) => {
  expect(extentText(extent)).toBe(words);
});
