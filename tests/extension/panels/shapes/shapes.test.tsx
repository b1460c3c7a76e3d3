// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import type { ShapesRecord } from '../../../../extension/src/protocol';
import { curvesOf } from '../../../../extension/webview/panels/shapes/chartView';
import { Shapes } from '../../../../extension/webview/panels/shapes/shapes';
import { anEmpty } from '../shared/madeFindings';
import { click, FakeHost, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { aFamily, shapesView } from './madeShapes';

beforeEach(() => giveElementsSize(1000, 600));

async function open(values: Partial<ShapesRecord> = {}) {
  const host = new FakeHost();
  const element = await rendered(host.page('shapes'), <Shapes />);
  await host.facts();
  await host.answer(shapesView(values));
  return { host, element, pane: () => found(element, 'aside').textContent };
}

test('each run is read with its shapes, and kept by Enter', async () => {
  const { element, pane } = await open();
  const chart = found(element, '.series-chart');
  await press(chart, 'Home');
  await press(chart, 'ArrowRight');
  expect(found(element, '.readout').textContent).toBe('run 2 · step 1 · op time 14.0 ms · x: f32[24,512]');
  await press(chart, 'Enter');
  expect(pane()).toContain('Run 2');
  expect(pane()).toContain('x f32[24,512]');
  await press(chart, 'Escape');
  expect(pane()).toContain('Padding to a few sizes');
});

test('what padding to a few sizes costs and saves is a table', async () => {
  const { pane } = await open();
  expect(pane()).toContain('32+31.5 %1≈ 1.68 s');
  expect(pane()).toContain('24, 32+9.6 %2≈ 840 ms');
  const without = await open({ families: [aFamily({ plans: [] })] });
  expect(without.pane()).toContain('it is not one size of one argument that changes');
});

test('the curves are of types or of ops, the longest first', () => {
  const family = aFamily();
  expect(curvesOf(family, 'all')).toHaveLength(1);
  expect(curvesOf(family, 'type').map(({ name }) => name)).toEqual(['dot', 'loop fusion']);
  expect(curvesOf(family, 'op').map(({ name }) => name)).toEqual(['dot.4']);
});

test('the runs have the same numbers as a table', async () => {
  const { element } = await open();
  await click(found(element, '[title="Show as Table"]'));
  const rows = [...element.querySelectorAll('[role=grid][aria-label="Runs"] .row')];
  expect(rows).toHaveLength(12);
  const cells = [...(rows[1] as Element).querySelectorAll('[role=gridcell]')].map(({ textContent }) => textContent);
  expect(cells).toEqual(['2', '1', 'x: f32[24,512]', '2', '16.0 ms', '14.0 ms']);
});

test('a run whose shapes do not change says so', async () => {
  const { element } = await open({ families: [], findings: anEmpty('No program has shapes that change.') });
  expect(element.textContent).toContain('No program has shapes that change.');
});
