// @vitest-environment happy-dom
import { aFinding, anEmpty } from '../shared/madeFindings';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { type HotRow, hotRows } from '../../../../extension/webview/panels/hotLines/rows';
import { opened } from '../../features/fakeDaemon';
import type { FunctionRecord, LinesRecord } from '../../../../extension/src/protocol';
import { aWall, aWindow } from '../shared/madeExtents';
import { aLine, anOp, aThreadedView, aView, aWindowView, stalled, aWaitingLine, idleOf } from './madeLines';
import { openHotLines } from './openHotLines';
import { FakeHost, click, found, giveElementsSize, press } from '../shared/fakePage';

const MS = 1_000_000_000;

beforeEach(() => giveElementsSize(1400, 900));

describe('the table', () => {
  test('lists the lines by share, and what no line holds at the end', async () => {
    const { rows } = await openHotLines();
    expect(rows()).toHaveLength(5);
    expect(rows()[0]).toContain('57.1 %');
    expect(rows()[0]).toContain('model.py:3');
    expect(rows()[0]).toContain('y = x @ w');
    expect(rows()[0]).toContain('12.0 ms');
    expect(rows()[3]).toContain('Not on a line');
    expect(rows()[3]).toContain('9.5 %');
    expect(rows()[4]).toContain('Idle');
    expect(rows()[4]).toContain('4.8 %');
  });

  const views = { steps: aView, window: aWindowView, threads: aThreadedView };

  describe.each(['steps', 'window', 'threads'] as const)('of %s', (kind) => {
    test.each(['lines', 'functions'] as const)('accounts for all of the wall clock and op time by %s', (grouping) => {
      const { record, ...more } = views[kind]();
      const rows = hotRows({ record, ...more }, grouping);
      const sum = (of: (row: HotRow) => number) => rows.reduce((total, row) => total + of(row), 0);
      expect(sum((row) => row.wall_ps)).toBe(record.wall?.wall_ps);
      expect(sum((row) => row.self_ps ?? 0)).toBe(record.op_time_ps);
      expect(sum((row) => row.share_ratio)).toBeCloseTo(1, 12);
    });

    test('ranks lines as their time per step does', () => {
      const rows = hotRows(views[kind](), 'lines').filter((row) => row.kind === 'line');
      expect(rows.map(({ wall_ps }) => wall_ps)).toEqual([...rows.map(({ wall_ps }) => wall_ps)].sort((a, b) => b - a));
    });
  });

  test('accounts for lines of no function by functions, too', async () => {
    const lines = [aLine(3, 60), aLine(1, 30, { function: '' })];
    const [block] = aView().record.functions;
    const view = aView({ lines, functions: [{ ...(block as FunctionRecord), ...aLine(3, 60), lines: 1 }] });
    expect(hotRows(view, 'functions').reduce((sum, row) => sum + row.wall_ps, 0)).toBe(view.record.wall?.wall_ps);
    const { element, rows, row } = await openHotLines(view);
    await click(found(element, '[role=radio]:nth-child(2)'));
    expect(rows()).toHaveLength(4);
    await click(row('Function not recorded'));
    await press(row('Function not recorded'), 'ArrowRight');
    expect(row('model.py:1').getAttribute('aria-level')).toBe('2');
  });

  test.each([
    ['steps', 'Of the step', 'Per step'],
    ['window', 'Of the window', 'Time'],
    ['threads', 'Of the step', 'Per step', 'Op time/step'],
  ] as const)('names the whole of its shares: %s', async (kind, ...titles) => {
    const { headers } = await openHotLines(views[kind]());
    expect(headers()).toEqual(expect.arrayContaining([...titles]));
    expect(headers().includes('Op time/step')).toBe(kind === 'threads');
    expect(headers()).not.toContain('Share');
  });

  test('outside of steps names that', async () => {
    const extent = aWindow(105, { kind: 'outside' });
    const { headers, element } = await openHotLines(aWindowView({ extent }));
    expect(headers()).toContain('Of time outside');
    expect(found(element, '.status-line').textContent).toContain('of the time outside of the steps');
  });

  test('shows the op time of threads beside the wall clock, and hides it where they are the same', async () => {
    const { row } = await openHotLines(aThreadedView());
    expect(row('model.py:3').textContent).toContain('57.1 %');
    expect(row('model.py:3').textContent).toContain('12.0 ms');
    expect(row('model.py:3').textContent).toContain('24.0 ms');
    const { element, headers } = await openHotLines();
    expect(headers()).not.toContain('Op time/step');
    await act(() => found(element, 'button[aria-haspopup=dialog]').click());
    const tick = [...element.querySelectorAll<HTMLElement>('.column-ticks label')].find((label) =>
      label.textContent.includes('Op time/step'),
    );
    await act(() => found(tick as HTMLElement, 'input').click());
    expect(headers()).toContain('Op time/step');
  });

  test('marks what is estimated, and what was edited since', async () => {
    const view = aView();
    const places = view.places.map((place) => (place?.line === 9 ? { ...place, state: 'stale' as const } : place));
    const { row, element } = await openHotLines({ ...view, places });
    expect(row('model.py:4').textContent).toContain('≈ 9.5 %');
    expect(row('model.py:3').textContent).not.toContain('≈');
    expect(row('model.py:9').textContent).toContain('edited since');
    expect(found(row('model.py:9'), '[role=img]').getAttribute('aria-label')).toBe('edited since');
    await click(row('model.py:9'));
    expect(found(element, 'aside').textContent).toContain('the numbers are of the line as it was');
  });

  test('orders phases by the share that is backward', async () => {
    const { element, rows } = await openHotLines();
    const header = [...element.querySelectorAll<HTMLElement>('[role=columnheader]')].find((each) =>
      each.textContent.startsWith('Phases'),
    );
    for (const first of ['model.py:3', 'model.py:4']) {
      await act(() => header?.click());
      expect(rows()[0]).toContain(first);
    }
  });

  test('says phases in letters beside their bar, and in words on hovering', async () => {
    const { row } = await openHotLines();
    expect(row('model.py:4').textContent).toContain('B 60 F 40');
    expect(row('model.py:4').innerHTML).toContain('backward 60 %, forward 40 %');
  });

  test('names the folders of files that have one name', () => {
    const lines = [aLine(1, 50, { path: 'a/model.py' }), aLine(1, 40, { path: 'b/model.py', file: '/w/b/model.py' })];
    expect(hotRows(aView({ lines }), 'lines').map(({ folder }) => folder)).toEqual(['a', 'b', '', '']);
    expect(hotRows(aView(), 'lines').every(({ folder }) => folder === '')).toBe(true);
    const one = aView({ lines: [aLine(1, 10, { path: 'a/train.py' })] });
    const folders = (title: string) =>
      hotRows({ ...one, run: { ...one.run, title } }, 'lines').map(({ folder }) => folder);
    expect(folders('train.py')[0]).toBe('');
    expect(folders('a/train.py')[0], 'a script of another run has the name').toBe('a');
  });

  test('goes to the line by Enter and by its link', async () => {
    const { row, host } = await openHotLines();
    await press(row('model.py:3'), 'ArrowDown');
    await press(row('model.py:9'), 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 9 });
    await click(found(row('model.py:3'), '.link'));
    expect(host.sent).toContainEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
  });

  test('groups by function and opens one to its lines', async () => {
    const { element, rows, row } = await openHotLines();
    await click(found(element, '[role=radio]:nth-child(2)'));
    expect(rows().map((text) => /block|loss|Not on a line|Idle/.exec(text)?.[0])).toEqual([
      'block',
      'loss',
      'Not on a line',
      'Idle',
    ]);
    await press(row('block'), 'ArrowRight');
    expect(rows()).toHaveLength(6);
    expect(row('model.py:4').getAttribute('aria-level')).toBe('2');
    expect(row('block').getAttribute('aria-expanded')).toBe('true');
  });
});

describe('a run that was just captured', () => {
  const values = {
    search: 'mean',
    'lines.sort': { column: 'line', descending: false },
    'lines.selected': 'model.py:4',
    'lines.scroll_px': 48,
  };

  test('is listed from the top by its whole cost, without what was looked for in another', async () => {
    const host = new FakeHost();
    host.state = { panel: 'hotLines', values };
    const { rows, selected } = await openHotLines(aView(), host);
    expect(rows()).toHaveLength(1);
    await host.facts({ capturedRun: '/runs/a' });
    expect(rows().slice(0, 3)).toEqual(
      ['model.py:3', 'model.py:9', 'model.py:4'].map((place) => expect.stringContaining(place) as string),
    );
    expect(selected()).toBeUndefined();
    expect(host.state).toMatchObject({ values: { search: '', 'lines.scroll_px': 0, listedCapture: '/runs/a' } });
  });

  test('keeps what is looked for in it since, also when its page is made anew', async () => {
    const host = new FakeHost();
    host.state = { panel: 'hotLines', values: { ...values, listedCapture: '/runs/a' } };
    const { rows } = await openHotLines(aView(), host);
    await host.facts({ capturedRun: '/runs/a' });
    expect(rows()).toHaveLength(1);
  });
});

describe('the search', () => {
  test('filters by any text and says what is filtered out', async () => {
    const host = new FakeHost();
    host.state = { panel: 'hotLines', values: { search: 'mean' } };
    const { rows, element } = await openHotLines(aView(), host);
    expect(rows()).toHaveLength(1);
    expect(found(element, '.status-line').textContent).toContain('1 of 5 rows have “mean”');
  });
});

describe('the status line', () => {
  const status = (element: HTMLElement) => found(element, '.status-line').textContent;

  test('accounts for the whole, and says what is looked at', async () => {
    const { element } = await openHotLines();
    expect(status(element)).toContain(
      '3 lines hold 85.7 % of the step · over 5 complete steps on 1 device · 9.5 % not on a line · 4.8 % idle on no line',
    );
    expect((await openHotLines(aWindowView())).element.textContent).toContain(
      '3 lines hold 85.7 % of the whole window · over the whole window, 105 ms on 1 device · 9.5 % not on a line · 4.8 % idle on no line',
    );
  });

  test('counts the lines that took time, by functions too, and call sites by themselves', async () => {
    const site = { wall_ps: 0, share_ratio: 0, per_step_ps: 0, op_time_per_step_ps: 0, function: 'main', ops: [] };
    const lines = [...aView().record.lines, aLine(20, 0, { ...site, inclusive_ps: 90 })];
    const { element } = await openHotLines(aView({ lines }));
    expect(status(element)).toContain(
      '3 lines hold 85.7 % of the step · over 5 complete steps on 1 device · 1 more calls them',
    );
    await click(found(element, '[role=radio]:nth-child(2)'));
    expect(status(element)).toContain('2 functions with 3 lines hold 85.7 % of the step');
  });
});

describe('the head', () => {
  test('has no average of one step', async () => {
    const view = aView();
    const { element } = await openHotLines({
      ...view,
      record: { ...view.record, extent: { ...view.record.extent, steps: 1 } },
    });
    expect(element.textContent).toContain('Wall clock of the step, ');
    expect(element.textContent).not.toContain('Wall clock of a step');
  });

  test('states step time, what the wall clock went to, and warnings', async () => {
    const { element } = await openHotLines(aView({ findings: [aFinding('warning', 'Events were dropped.')] }));
    const text = element.textContent;
    expect(text).toContain('5 steps of 32.4 ms');
    expect(text).toContain('Wall clock of a step, 21.0 ms on average');
    expect(text).toContain('device busy 18.4 ms 87.6 %');
    expect(text).toContain('stalled on collectives 1.20 ms 5.7 %');
    expect(text).toContain('stalled on copies 400 µs 1.9 %');
    expect(text).toContain('idle 1.00 ms 4.8 %');
    expect(text).not.toContain('compiling');
    expect(text).toContain('Events were dropped.');
    expect(found(element, '.facts').textContent).toContain('train.pyTPU v5esteps 1–5');
  });

  test.each([
    ['thirds', aWall(90, 30, { stalls: [stalled('peer', 30)] }), { python: 30 }],
    ['sevenths', aWall(70, 10, { stalls: [stalled('copy', 10), stalled('host', 20)] }), { compile: 10, input: 20 }],
    ['a trace of each', aWall(1_000_000, 999_998, { stalls: [stalled('collective', 1)] }), { sync: 1 }],
  ] as const)('has percents that sum to 100: %s', async (_, wall, classes) => {
    const idle_classes = idleOf(
      Object.fromEntries(Object.entries(classes).map(([name, time_ms]) => [name, time_ms * MS])),
    );
    const { element } = await openHotLines(aView({ wall, idle_classes }));
    const percents = [...element.querySelectorAll('.wall-clock li')].map(({ textContent }) =>
      /<0\.1 %$/.test(textContent) ? 0 : Number(/([\d.]+) %$/.exec(textContent)?.[1]),
    );
    expect(percents.length).toBe(1 + wall.stalls.length + Object.keys(classes).length);
    expect(percents.reduce((sum, percent) => sum + percent, 0)).toBeCloseTo(100, 9);
  });

  test('tells every cause of a stall and class of waiting apart by its form as well as its hue', async () => {
    const causes = ['copy', 'collective', 'peer', 'host'] as const;
    const wall = aWall(100, 50, { stalls: causes.map((cause) => stalled(cause, 5)) });
    const idle_classes = idleOf({ compile: 10 * MS, input: 15 * MS, unknown: 5 * MS });
    const { element } = await openHotLines(aView({ wall, idle_classes }));
    const looks = [...element.querySelectorAll('.wall-clock .stacked-bar > span')].map(({ className }) => className);
    expect(new Set(looks).size).toBe(8);
    expect([...element.querySelectorAll('.wall-clock li .swatch')].map(({ className }) => className)).toEqual(
      looks.map((look) => `swatch ${look}`),
    );
    expect(element.textContent).toContain('stalled on another device');
    expect(element.textContent).toContain('stalled on input from the host');
    expect(element.textContent).toContain('idle: compiling');
    expect(element.textContent).toContain('idle: input');
  });

  test('leads from each part of the wall clock to its lines alone, and back', async () => {
    const lines = [aWaitingLine(20, 50), aLine(3, 40, { ops: [anOp({ stall: 'copy' })] }), aLine(9, 10)];
    const idle_classes = idleOf({ input: 50 * MS });
    const wall = aWall(105, 10, { stalls: [stalled('copy', 45)] });
    const { element } = await openHotLines(
      aView({ lines, wall, idle_classes, idle_ps: 50 * MS, unattributed_waiting_ps: 0 }),
    );
    const listed = () =>
      [...element.querySelectorAll('.table .place')].map(({ textContent }) => textContent).filter(Boolean);
    const part = (name: string): HTMLElement =>
      [...element.querySelectorAll<HTMLElement>('.wall-clock .part')].find(({ textContent }) =>
        textContent.includes(name),
      ) ?? element;
    expect(listed()).toEqual(['model.py:20', 'model.py:3', 'model.py:9']);
    await click(part('idle: input'));
    expect(part('idle: input').getAttribute('aria-pressed')).toBe('true');
    expect(listed()).toEqual(['model.py:20']);
    await click(part('stalled on copies'));
    expect(listed()).toEqual(['model.py:3']);
    await click(part('device busy'));
    expect(listed()).toEqual(['model.py:9']);
    await click(part('device busy'));
    expect(listed()).toHaveLength(3);
  });

  const waiting = (changes: Partial<LinesRecord> = {}) =>
    aView({
      lines: [aWaitingLine(20, 50), aLine(3, 40), aWaitingLine(21, 5, { waiting_classes: idleOf({ sync: 5 * MS }) })],
      wall: aWall(105, 40),
      idle_classes: idleOf({ input: 50 * MS, sync: 5 * MS, python: 10 * MS }),
      unattributed_waiting_ps: 10 * MS,
      unattributed_ps: 0,
      unattributed_wall_ps: 0,
      ...changes,
    });
  const partOf = (element: Element, name: string): HTMLElement =>
    found(
      element,
      `.wall-clock li:nth-child(${String(partsOf(element).findIndex((each) => each.includes(name)) + 1)}) .part`,
    );
  const partsOf = (element: Element) =>
    [...element.querySelectorAll('.wall-clock .part')].map(({ textContent }) => textContent);
  const status = (element: Element) => found(element, '.status-line').textContent;

  test('names the part whose lines are listed alone, and counts these', async () => {
    const { element, rows } = await openHotLines(waiting());
    expect(status(element)).toContain('3 lines hold 90.5 % of the step');
    await click(partOf(element, 'idle: input'));
    expect(rows()).toHaveLength(1);
    expect(status(element)).toContain('only idle: input · 1 line holds 47.6 % of the step · over 5 complete steps');
    await click(found(element, '[role=radio]:nth-child(2)'));
    expect(status(element)).toContain('only idle: input · on no line');
  });

  test('forgets the part with the run, and where there is no such part', async () => {
    const { element, host, rows } = await openHotLines(waiting());
    await click(partOf(element, 'idle: input'));
    await host.facts({ placesGeneration: 2 });
    await host.answer({ ...waiting(), run: opened('/runs/b') });
    expect(element.querySelector('.part[aria-pressed=true]')).toBeNull();
    expect(rows()).toHaveLength(4);
    await host.facts({ placesGeneration: 3 });
    await host.answer(waiting());
    expect(rows()).toHaveLength(4);
    await click(partOf(element, 'idle: input'));
    await host.facts({ placesGeneration: 4 });
    await host.answer(aView());
    expect(rows()).toHaveLength(5);
    expect(status(element)).not.toContain('only');
  });

  test('lists what is on no line where that has the part, else says why there is none and leads back', async () => {
    const { element, rows } = await openHotLines(waiting({ wall: aWall(105, 30, { stalls: [stalled('peer', 10)] }) }));
    await click(partOf(element, 'idle: other Python'));
    expect(rows()).toHaveLength(1);
    expect(rows()[0]).toContain('Idle, on no line');
    expect(status(element)).toContain('only idle: other Python · on no line · over 5 complete steps');
    await click(partOf(element, 'stalled on another device'));
    expect(rows()).toHaveLength(0);
    expect(element.textContent).toContain('No line has any of “stalled on another device”.');
    await click(found(element, '.nothing-found vscode-button'));
    expect(rows()).toHaveLength(4);
  });

  test('draws what waits as a hollow bar in the hue of its idle time, and what runs as a solid one', async () => {
    const { element } = await openHotLines(waiting());
    const bars = () =>
      [...element.querySelectorAll<HTMLElement>('.table .metered')].map(({ className, style }) => [
        /metered *(.*)$/.exec(className)?.[1],
        style.getPropertyValue('--fill'),
      ]);
    expect(bars()).toEqual([
      ['waiting data', 'max(1px, 100%)'],
      ['', 'max(1px, 80%)'],
      ['waiting', 'max(1px, 10%)'],
    ]);
    // As long as among all lines.
    await click(partOf(element, 'idle: reading results'));
    expect(bars()).toEqual([['waiting', 'max(1px, 10%)']]);
  });

  test('has no standing warning of what lies outside of the steps', async () => {
    const { element } = await openHotLines();
    expect(element.querySelector('.notice')).toBeNull();
    expect(element.textContent).not.toContain('outside steps');
  });

  test('says why there are no steps', async () => {
    const { element } = await openHotLines(
      aView({ steps: [], findings: [aFinding('warning', 'No steps were found: no program repeats.')] }),
    );
    expect(element.textContent).toContain('No steps were found: no program repeats.');
  });

  test('says once what the headline says, with what to do about it', async () => {
    const view = aView({});
    const headline = 'No steps were found: no program repeats.';
    const findings = [aFinding('warning', headline, { remedy: 'Capture for longer.' }), aFinding('warning', headline)];
    const { element } = await openHotLines({
      ...view,
      run: { ...view.run, headline },
      record: { ...view.record, steps: [], findings },
    });
    expect([...element.querySelectorAll('.notice')].map((each) => each.textContent.trim())).toEqual([
      'Capture for longer.',
    ]);
    expect(element.querySelector('.headline')?.textContent).toBe(headline);
  });
});

test('a record without lines says why and what to do', async () => {
  const { element } = await openHotLines(
    aView({ lines: [], findings: anEmpty('The profile has no device.', 'Capture it again.') }),
  );
  expect(element.textContent).toContain('The profile has no device.Capture it again.');
});

test('a narrow page has the three columns that matter', async () => {
  giveElementsSize(300, 700);
  const { element } = await openHotLines();
  const headers = [...element.querySelectorAll('main [role=columnheader]')].map((header) => header.textContent);
  expect(headers).toEqual(['Of the step', 'Line', 'Per step']);
  expect(element.querySelector('aside')).toBeNull();
});

test('the list of another run begins at its top', async () => {
  giveElementsSize(1400, 100);
  const { element, host } = await openHotLines();
  const table = () => found(element, '.table');
  const scroll = () =>
    act(() => {
      table().scrollTop = 40;
      table().dispatchEvent(new Event('scroll'));
    });
  await scroll();
  await host.facts({ placesGeneration: 2 });
  await host.answer(aView());
  expect(table().scrollTop).toBe(40);
  await host.facts({ shownRun: opened('/runs/b'), shownRunGeneration: 2 });
  await host.answer({ ...aView(), run: opened('/runs/b') });
  expect(table().scrollTop).toBe(0);
});

test('the side bar has short names of what shares are of', async () => {
  document.body.dataset['place'] = 'sideBar';
  const { headers } = await openHotLines();
  delete document.body.dataset['place'];
  expect(headers()[0]).toBe('Of step');
});

test('another run does not show the lines of the one before', async () => {
  const { element, host } = await openHotLines();
  await host.facts({ shownRun: opened('/runs/b'), shownRunGeneration: 2 });
  expect(element.querySelector('.row')).toBeNull();
});
