// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { Flame } from '../../../../extension/webview/panels/flame/flame';
import { FakeHost, click, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { aComparedNode, aComparedTree, someSides } from '../shared/madeChanges';
import { icicleIn, rowsIn } from '../shared/rowsIn';
import { flameView, MS } from './madeFlame';

/** As in a font whose characters are all equally wide. */
const CHARACTER_PX = 7;
vi.mock('../../../../extension/webview/shared/charts/text', async (original) => ({
  ...(await original<object>()),
  wordWidth: (text: string) => CHARACTER_PX * text.length,
}));

beforeEach(() => giveElementsSize(1400, 900));

/** 92 ms that became 100: `layer/dot` took 44, `loss` has lost a call, and what had no source is new. */
const tree = aComparedTree(
  [
    aComparedNode({ key: 'main', kind: 'frame', before: 92 * MS, after: 90 * MS, verdict: 'better' }),
    aComparedNode({ key: 'layer', parent: 'main', depth: 1, kind: 'frame', before: 54 * MS, after: 60 * MS }),
    aComparedNode({ key: 'layer/dot', parent: 'layer', depth: 2, kind: 'frame', before: 44 * MS, after: 50 * MS }),
    aComparedNode({
      key: 'loss',
      parent: 'main',
      depth: 1,
      kind: 'frame',
      before: 38 * MS,
      after: 30 * MS,
      verdict: 'cannot-tell',
    }),
    aComparedNode({ key: 'loss/dot', parent: 'loss', depth: 2, kind: 'frame', before: 10 * MS, after: 10 * MS }),
    aComparedNode({
      key: 'was',
      parent: 'loss',
      depth: 2,
      kind: 'frame',
      label: 'log',
      before: 8 * MS,
      path: 'model.py',
      line: 9,
    }),
    aComparedNode({ key: 'bare', kind: 'without-source', after: 10 * MS }),
  ],
  { view: 'flame', whole: aComparedNode({ kind: 'rest', before: 92 * MS, after: 100 * MS }) },
);

async function open() {
  const host = new FakeHost();
  const element = await rendered(host.page('flame'), <Flame />);
  await host.facts({ comparison: someSides, comparisonGeneration: 1 });
  await host.answer(flameView());
  expect(host.details).toMatchObject({ details: 'comparedFlame', params: { measure: 'op-time', libraries: false } });
  await host.answerDetails(tree);
  const option = (group: string, label: string) =>
    [...found(element, `[role=radiogroup][aria-label="${group}"]`).children].find(
      (each) => each.textContent === label,
    ) as HTMLElement;
  const legend = () => found(element, '.icicle .legend').textContent;
  const changes = () => [...element.querySelectorAll('.table .change')].map(({ textContent }) => textContent);
  return { element, host, ...rowsIn(element), ...icicleIn(element), option, legend, changes };
}

test('says in the picture, its legend and its table what became of frames', async () => {
  const { element, legend, changes } = await open();
  const readout = () => found(element, '.icicle .readout').textContent;
  expect(legend()).toContain('▲ more since 3f2a');
  expect(legend()).toContain('± cannot be told');
  const place = found(element, '.icicle-place');
  await press(place, 'ArrowUp');
  expect(readout()).toMatch(/▼ −2\.00 ms$/);
  await press(place, 'ArrowUp');
  expect(readout()).toMatch(/▲ \+6\.00 ms$/);
  expect(changes()[0]).toBe('+8.00 ms');
  expect(changes()).toContain('+6.00 ms');
  expect(changes()).toContain('new +10.0 ms');
});

test('colours by phase where that is chosen', async () => {
  const { element, option, legend } = await open();
  await click(option('Colour by', 'Phase'));
  expect(legend()).toContain('forward');
  expect(found(element, '.icicle .readout').textContent).not.toMatch(/[▲▼]/);
});

test('has a frame that is only before below the one that called it', async () => {
  const { row } = await open();
  await click(found(row('loss'), '.twistie'));
  expect(row('log').textContent).toContain('gone −8.00 ms');
  expect(row('log').className).toContain('gone');
});

test('sums the changes of a line over the stacks that have it', async () => {
  const { row, option } = await open();
  await click(option('Rows', 'Lines'));
  const dot = row('model.py:5');
  expect(dot.textContent).toContain('54.0 ms');
  expect(dot.textContent).toContain('+6.00 ms');
});

test('has room for the longest change, however deep it stands', async () => {
  const { element } = await open();
  const headers = [...element.querySelectorAll('.table [role=columnheader]')].map(({ textContent }) => textContent);
  const tracks = found(element, '.table .sheet').style.getPropertyValue('--tracks').split(' ').map(parseFloat);
  expect(tracks[headers.indexOf('Change')]).toBeGreaterThan(CHARACTER_PX * 'gone −8.00 ms'.length + 16);
});
