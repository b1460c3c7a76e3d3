// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { drawingOf, layoutOf, neighbour } from '../../../../extension/webview/panels/inputPipeline/graphLayout';
import { InputPipeline } from '../../../../extension/webview/panels/inputPipeline/inputPipeline';
import { aFinding, anEmpty } from '../shared/madeFindings';
import { click, FakeHost, found, giveElementsSize, nextFrame, press, rendered } from '../shared/fakePage';
import { anOperation, aQueue, aStep, inputRecord, inputView, MS } from './madeInput';

beforeEach(() => giveElementsSize(1000, 700));

async function open(view = inputView(), host = new FakeHost()) {
  const element = await rendered(host.page('inputPipeline'), <InputPipeline />);
  await host.facts();
  await host.answer(view);
  const boxes = () => [...element.querySelectorAll<HTMLElement>('.operation')];
  return {
    element,
    host,
    boxes,
    box: (name: string) => boxes().find(({ textContent }) => textContent.includes(name)) as HTMLElement,
    pane: () => found(element, 'aside').textContent,
    figure: (name: string) =>
      [...element.querySelectorAll('.figures > div')].find((each) => each.textContent.startsWith(name))?.textContent,
    choose: async (label: string) => {
      const buttons = [...element.querySelectorAll('[aria-label=Chart] [role=radio]')];
      await click(buttons.find(({ textContent }) => textContent === label) as Element);
    },
    rows: (label: string) => [...element.querySelectorAll<HTMLElement>(`[role=grid][aria-label="${label}"] .row`)],
  };
}

describe('the verdict', () => {
  test('says how much of the steps waits, what the queue held, and what is slow', async () => {
    const { figure } = await open();
    expect(figure('Waits for input')).toContain('60.0 %of the steps: highly input-bound');
    expect(figure('Per step')).toContain('12.0 ms± 2.00 ms over steps');
    expect(figure('Queue empty')).toContain('14 of 16gets: making the data is slow');
    expect(figure('Met an idle device')).toContain('17 of 18');
    expect(figure('Slow')).toContain('Map(Decode)holds the others up');
  });

  test.each([
    ['gets', 'data is ready, taking it is slow'],
    ['loop', 'data is ready, the loop works on it'],
    ['elsewhere', 'data is ready, the steps wait for something else'],
    ['barely', 'the input keeps up, with nothing to spare'],
  ] as const)('says in words what is slow: %s', async (verdict, text) => {
    const { figure } = await open(inputView({ verdict }));
    expect(figure('Queue empty')).toContain(`14 of 16gets: ${text}`);
  });

  test('leads to the lines that wait', async () => {
    const { element, host } = await open();
    const lines = [...element.querySelectorAll('.input-verdict [aria-label="Lines that wait for input"] tr')];
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'train.py:2659.4 %11.9 ms/step',
      'train.py:270.6 %≈ 100 µs/step',
    ]);
    await click(found(lines[0] as Element, 'button'));
    expect(host.sent).toContainEqual(expect.objectContaining({ type: 'goToLine', file: '/w/train.py', line: 26 }));
  });

  test('names the work of the host as XProf does, without what there is nothing of', async () => {
    const { element } = await open();
    const names = [...element.querySelectorAll('[aria-label="What the host does"] .bar-name')];
    expect(names.map(({ textContent }) => textContent)).toEqual([
      'Reading data in advance',
      'Preprocessing',
      'Enqueuing data to be transferred to the device',
    ]);
  });

  test('shows no waiting where it is not known what the host did', async () => {
    const unknown = { input_ps: null, least_input_ps: null, greatest_input_ps: null };
    const { element, figure } = await open(
      inputView({
        input_ratio: null,
        level: null,
        input_ps: null,
        verdict: null,
        lines: [],
        spreads: inputRecord().spreads.filter(({ quantity }) => quantity !== 'input'),
        steps: [aStep(0, unknown), aStep(1, unknown)],
      }),
    );
    expect(figure('Waits for input')).toContain('–');
    expect(figure('Per step')).toBeUndefined();
    expect(found(element, '.input-chart').textContent).not.toContain('waits for input');
    expect(found(element, '.input-chart').textContent).toContain('device idle');
    expect(element.textContent).not.toContain('0 ps');
  });

  test('says so where no line waits', async () => {
    const { element } = await open(inputView({ lines: [], input_ratio: 0.01, level: 'low', categories: [] }));
    expect(found(element, '.input-verdict').textContent).toContain('the steps do not wait for input');
    expect(found(element, '.input-verdict').textContent).toContain('Nothing of it was seen in this process');
  });

  test('an empty record says why and what to do', async () => {
    const { element } = await open(inputView({ findings: anEmpty('Nothing ran on a device.', 'Capture more.') }));
    expect(element.textContent).toContain('Nothing ran on a device.');
    expect(element.textContent).toContain('Capture more.');
  });
});

describe('the graph', () => {
  test('has every operation from what makes the data to the device, and says of each what it is', async () => {
    const { boxes } = await open();
    expect(boxes().map((box) => box.getAttribute('aria-label'))).toEqual([
      'Range · grain · 2 threads · busy 1.2 % of the window',
      'Map(Decode) · grain · 2 threads · busy 96.8 % of the window · holds the others up',
      'Batch · grain · 2 threads · busy 1.7 % of the window',
      'Prefetch · grain · 2 threads · then ready elements of grain: 0.3 of 4',
      'train · loop of the steps',
      'device',
    ]);
  });

  test('is walked with arrow keys from what holds the others up', async () => {
    const { element, boxes, box, pane } = await open();
    expect(boxes().filter(({ tabIndex }) => tabIndex === 0)).toEqual([box('Map(')]);
    await press(box('Map('), 'ArrowRight');
    expect(pane()).toContain('Batch');
    await press(box('Batch'), 'ArrowRight');
    expect(pane()).toContain('Its queue');
    expect(pane()).toContain('at 14 of 16 gets');
    await press(box('Prefetch'), 'ArrowLeft');
    await press(box('Batch'), 'ArrowLeft');
    expect(pane()).toContain('train.py:16');
    expect(pane()).toContain('suspect in steps');
    expect(element.querySelectorAll('.operation[aria-pressed=true]')).toHaveLength(1);
  });

  test('stands each operation right of all that it reads from', () => {
    const operations = [
      anOperation('a'),
      anOperation('b'),
      anOperation('c', { inputs: ['a'] }),
      anOperation('d', { inputs: ['c', 'b'] }),
    ];
    const layout = layoutOf(operations);
    const at = Object.fromEntries(layout.placed.map(({ operation, column, row }) => [operation.key, [column, row]]));
    expect(at).toEqual({ a: [0, 0], c: [1, 0], b: [1, 1], d: [2, 0.5] });
    expect(neighbour(layout, 'd', 'ArrowLeft')?.key).toBe('b');
    expect(neighbour(layout, 'c', 'ArrowDown')?.key).toBe('b');
    expect(neighbour(layout, 'a', 'ArrowLeft')).toBeNull();
    expect(neighbour(layout, 'nowhere', 'ArrowLeft')).toBeNull();
  });

  test('ends where operations read from each other in a circle', () => {
    const circle = [
      anOperation('a', { inputs: ['b'] }),
      anOperation('b', { inputs: ['a'] }),
      anOperation('c', { inputs: ['a', 'c'] }),
    ];
    const { placed, columns } = layoutOf(circle);
    expect(placed.map(({ operation }) => operation.key).sort()).toEqual(['a', 'b', 'c']);
    expect(columns).toBe(3);
  });

  test('says of what runs in processes that its time is known per process', async () => {
    const loader = anOperation('DataLoader', {
      kind: 'torch',
      workers: 2,
      process_ids: [4100, 4101],
      inputs: ['Slow'],
      core_ratio: 0.9,
      core_waiting_ratio: 0.25,
    });
    const operations = [anOperation('Slow', { kind: 'torch', runs_in: 'DataLoader' }), loader];
    const { box, pane } = await open(inputView({ operations, suspected: null }));
    await click(box('Slow'));
    expect(pane()).toContain(
      'It runs in the processes of DataLoader: time in them is known per process, not per line.',
    );
    await click(box('DataLoader'));
    expect(pane()).toContain('2 workers');
    expect(pane()).toContain('waits for a core, each25.0 %');
    expect(pane()).not.toContain('It runs in');
  });

  test('names a line of the loop by its statement, without workers', async () => {
    const operations = [anOperation('x = np.sort(X)', { kind: 'line', workers: 1 })];
    const { boxes } = await open(inputView({ operations, suspected: null }));
    expect(boxes()[0]?.getAttribute('aria-label')).toBe('x = np.sort(X) · line');
  });

  test('says that a loader has no workers', async () => {
    const operations = [anOperation('DataLoader', { kind: 'torch', workers: 0 })];
    const { boxes } = await open(inputView({ operations, suspected: null }));
    expect(boxes()[0]?.getAttribute('aria-label')).toBe('DataLoader · torch · no workers');
  });

  test('goes on below where it has no room', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const operations = names.map((name, at) => anOperation(name, { inputs: names.slice(Math.max(0, at - 1), at) }));
    const { boxes, width_px, height_px } = drawingOf(layoutOf(operations), 400);
    expect(boxes.map(({ band }) => band)).toEqual([0, 0, 1, 1, 2]);
    expect(width_px).toBeLessThanOrEqual(400);
    for (const box of boxes) {
      expect(box.left_px + box.width_px).toBeLessThanOrEqual(400);
      expect(box.top_px + 56).toBeLessThan(height_px);
    }
    expect(boxes[2]?.top_px).toBeGreaterThan((boxes[1]?.top_px ?? 0) + 56);
    expect(drawingOf(layoutOf(operations), 10).boxes.map(({ band }) => band)).toEqual([0, 1, 2, 3, 4]);
  });

  test('leads to the line of an operation by Enter', async () => {
    const { box, host, pane } = await open();
    await press(box('Map('), 'Enter');
    expect(host.sent).toContainEqual(expect.objectContaining({ type: 'goToLine', file: '/w/train.py', line: 16 }));
    expect(pane()).toContain('suspect in steps');
  });

  test('is left out where nothing is known of it', async () => {
    const { element } = await open(inputView({ operations: [], queues: [], suspected: null }));
    expect(element.querySelector('.graph')).toBeNull();
  });
});

describe('the charts', () => {
  test('read a step by the keyboard, and show its card', async () => {
    const { element, pane } = await open();
    const chart = found(element, '.series-chart');
    await press(chart, 'Home');
    expect(found(element, '.readout').textContent).toBe(
      'Steps: time, idle, waiting for input step 1 · takes 18.0 ms · idle 11.7 ms · waits for input 10.8 ms · compiles',
    );
    await press(chart, 'Enter');
    expect(pane()).toContain('a program was compiled in it');
    expect(pane()).toContain('PrefetchDatasetIterator held0');
    await press(chart, 'End');
    expect(found(element, '.readout').textContent).toContain('step 20');
  });

  test('have the range over devices where there are several', async () => {
    const device = { name: 'TPU:0', idle_ps: MS, input_ps: MS };
    const { element, pane } = await open(
      inputView({
        devices: [device, { ...device, name: 'TPU:1' }],
        steps: [aStep(0, { least_input_ps: 5 * MS, greatest_input_ps: 9 * MS })],
      }),
    );
    expect(found(element, '.legend').textContent).toContain('most of any device');
    expect(pane()).toContain('By device, per step');
    await press(found(element, '.series-chart'), 'Home');
    await press(found(element, '.series-chart'), 'Enter');
    expect(pane()).toContain('5.00 ms to 9.00 ms');
  });

  test('show a queue over time and at the gets', async () => {
    const { element, choose } = await open();
    await choose('Queue');
    await press(found(element, '.series-chart'), 'Home');
    expect(found(element, '.readout').textContent).toContain('holds 0');
    await choose('At Gets');
    await press(found(element, '.series-chart'), 'Home');
    expect(found(element, '.readout').textContent).toContain('step 1 · holds 0');
    expect(found(element, '.series-chart').textContent).toContain('4 at most');
  });

  test('have the same numbers as a table', async () => {
    const { element, rows } = await open();
    await click(found(element, '.tool-row vscode-toolbar-button'));
    const [first] = rows('Steps: time, idle, waiting for input');
    expect(first?.textContent).toContain('118.0 ms11.7 ms10.8 ms11Decodecompiles, in no mean');
  });
});

describe('the stages', () => {
  test('are listed by self time, with what waits without a share', async () => {
    const { rows } = await open();
    const texts = rows('Stages').map(({ textContent }) => textContent);
    expect(texts[0]).toMatch(/^Decode165475 ms475 ms97\.1 %preprocessing16train\.py:16/);
    const waits = texts.find((text) => text.startsWith('PrefetchDatasetIterator'));
    expect(waits).toContain('waits');
    expect(waits).not.toContain('%');
    expect(texts.find((text) => text.startsWith('worker process'))).toContain('93.0 %');
  });

  test('have a card with the steps in which they were the suspect', async () => {
    const { rows, pane } = await open();
    await click(rows('Stages')[0] as Element);
    expect(pane()).toContain('in 16 of 18 steps');
    expect(pane()).toContain('self, each time2.88 ms');
  });
});

test('the line that another panel selects is looked at, and the own is shared', async () => {
  const { element, rows, pane, host } = await open();
  await host.facts({ selection: { kind: 'line', file: '/w/train.py', line: 16 } });
  expect(pane()).toContain('in 16 of 18 steps');
  expect(element.querySelectorAll('[role=row][aria-selected=true]')).toHaveLength(1);
  await click(rows('Stages')[1] as Element);
  await click(rows('Stages')[0] as Element);
  expect(host.sent).toContainEqual({ type: 'select', selection: { kind: 'line', file: '/w/train.py', line: 16 } });
});

test('what to do stays above the card of what was chosen, which Escape lets go', async () => {
  const { element, rows, pane } = await open();
  await click(rows('Stages')[0] as Element);
  expect(pane()).toContain('Give grain more threads.');
  expect(pane().indexOf('Give grain more threads.')).toBeLessThan(pane().indexOf('in 16 of 18 steps'));
  await press(rows('Stages')[0] as Element, 'Escape');
  expect(pane()).not.toContain('in 16 of 18 steps');
  expect(pane()).toContain('Device side, per step');
  expect(element.querySelectorAll('[role=row][aria-selected=true]')).toHaveLength(0);
});

test('a line that another panel selects is seen whatever was searched for', async () => {
  const { element, rows, host } = await open();
  const field = found(element, 'vscode-textfield') as HTMLElement & { value: string };
  field.value = 'zzz';
  field.dispatchEvent(new Event('input'));
  await nextFrame();
  expect(rows('Stages')).toHaveLength(0);
  await host.facts({ selection: { kind: 'line', file: '/w/train.py', line: 16 } });
  expect(field.value).toBe('');
  expect(element.querySelectorAll('[role=row][aria-selected=true]')).toHaveLength(1);
});

test('without what the threads did it says why it is empty, and what to change, first', async () => {
  const finding = {
    ...aFinding('note', 'Where threads stood was not recorded.'),
    remedy: 'Capture without --no-host.',
  };
  const { element, pane } = await open(
    inputView({ input_ratio: null, stages: [], lines: [], queues: [], operations: [], findings: [finding] }),
  );
  expect(pane()).toMatch(/^What to do.*Capture without --no-host\..*Device side/);
  expect(pane().match(/Capture without --no-host/g)).toHaveLength(1);
  expect(element.querySelector('[role=grid]')).toBeNull();
  expect(found(element, '.no-stages').textContent).toContain('without --no-host');
});

test('there is no heading without advice, and no choice of one chart', async () => {
  const { element, pane } = await open(inputView({ findings: [], queues: [] }));
  expect(pane()).not.toContain('What to do');
  expect(element.querySelector('[aria-label=Chart]')).toBeNull();
});

test('what to do stands first in the details, how to read it last', async () => {
  const { pane } = await open();
  const text = pane();
  expect(text.indexOf('Give grain more threads.')).toBeGreaterThan(-1);
  expect(text.indexOf('Give grain more threads.')).toBeLessThan(text.indexOf('Device side, per step'));
  expect(text.indexOf('2 of the 20 steps')).toBeGreaterThan(text.indexOf('Device side, per step'));
});

test('the header is of the complete steps whatever other panels are of', async () => {
  const { element, host } = await open();
  await host.facts({ scope: 'window' });
  expect(found(element, '.top-bar .facts').textContent).toMatch(
    /20\.0 ms\/step · complete steps$|20\.0 ms\/stepcomplete steps$/,
  );
});

test('the status line says what means are over', async () => {
  const { element } = await open(inputView({ queues: [] }));
  expect(found(element, '.status-line').textContent).toContain('mean of 18 of 20 steps');
  expect(found(element, '.status-line').textContent).toContain('no queue was waited in');
});

test('hostile numbers are drawn all the same', async () => {
  const record = inputRecord({
    queues: [aQueue('q', { capacity: null, mean_held: null, use_ratio: null, times_ps: [], held: [], step_held: [] })],
    steps: [],
    spreads: [],
    stages: [],
    lines: [],
    findings: [aFinding('warning', 'Odd.')],
  });
  const { element, choose } = await open(inputView(record));
  expect(found(element, '.no-stages').textContent).toContain('nothing was seen');
  await choose('Queue');
  await choose('At Gets');
  expect(element.textContent).toContain('Odd.');
});
