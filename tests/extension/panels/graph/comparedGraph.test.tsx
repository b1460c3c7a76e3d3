// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { Graph } from '../../../../extension/webview/panels/graph/graph';
import { click, FakeHost, found, giveElementsSize, press, rendered, until } from '../shared/fakePage';
import { aComparedNode, aComparedTree, someSides } from '../shared/madeChanges';
import { MS } from '../shared/madeOps';
import { aGraph, graphView } from './madeGraph';

beforeEach(() => giveElementsSize(1400, 800));

async function open() {
  const host = new FakeHost();
  const record = aGraph();
  const element = await rendered(host.page('graph'), <Graph />);
  await host.facts({ comparison: someSides, comparisonGeneration: 1 });
  await host.answer(graphView(record));
  const asked = host.details;
  const nodes = record.nodes.map(({ key }) => aComparedNode({ key, kind: 'line', before: 2 * MS, after: 3 * MS }));
  const gone = aComparedNode({ key: 'was', kind: 'line', before: 4 * MS, path: 'old.py', line: 2 });
  await host.answerDetails(aComparedTree([...nodes, gone], { view: 'graph' }));
  const option = (label: string) =>
    [...element.querySelectorAll('[role=radio]')].find(({ textContent }) => textContent === label) as HTMLElement;
  return { host, element, option, asked };
}

test('says with a sign what became of a node, in the picture and in its legend', async () => {
  const { element, option, asked } = await open();
  expect(asked).toMatchObject({ details: 'comparedGraph', params: { level: null } });
  await until(() => element.querySelector('.graph-place') !== null);
  const legend = () => found(element, '.legend').textContent;
  expect(legend()).toContain('▲ more since 3f2a');
  await press(found(element, '.graph-place'), 'ArrowDown');
  expect(found(element, '.readout').textContent).toMatch(/▲ \+1\.00 ms$/);
  await click(option('Phase'));
  expect(legend()).not.toContain('▲');
  expect(found(element, '.readout').textContent).not.toContain('▲');
});

test('has it in the table of nodes, with what is only before', async () => {
  const { element } = await open();
  await click(found(element, '[title="Show as Table"], [aria-label="Show as Table"]'));
  const rows = [...element.querySelectorAll('.table .row')].map(({ textContent }) => textContent);
  expect(rows.some((text) => text.includes('+1.00 ms'))).toBe(true);
  expect(rows.some((text) => text.includes('old.py:2') && text.includes('gone −4.00 ms'))).toBe(true);
});
