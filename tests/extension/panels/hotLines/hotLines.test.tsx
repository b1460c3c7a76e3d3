// @vitest-environment happy-dom
import { aFinding, anEmpty } from '../shared/madeFindings';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import { HotLines } from '../../../../extension/webview/panels/hotLines/hotLines';
import { hotRows } from '../../../../extension/webview/panels/hotLines/rows';
import { opened } from '../../features/fakeDaemon';
import { aLine, anOp, aView } from './madeLines';
import { FakeHost, click, found, giveElementsSize, press, rendered } from '../shared/fakePage';

beforeEach(() => giveElementsSize(1400, 900));

async function open(view = aView(), host = new FakeHost()) {
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
  return { element, host, rows, row, details };
}

describe('the table', () => {
  test('lists the lines by share, and what no line holds at the end', async () => {
    const { rows } = await open();
    expect(rows()).toHaveLength(4);
    expect(rows()[0]).toContain('60.0 %');
    expect(rows()[0]).toContain('model.py:3');
    expect(rows()[0]).toContain('y = x @ w');
    expect(rows()[0]).toContain('12.0 ms');
    expect(rows()[3]).toContain('Unattributed');
  });

  test('accounts for all of the op time, by lines and by functions', () => {
    for (const grouping of ['lines', 'functions'] as const) {
      const sum_ps = hotRows(aView(), grouping).reduce((sum, row) => sum + row.self_ps, 0);
      expect(sum_ps).toBe(aView().record.op_time_ps);
    }
  });

  test('marks what is estimated, and what was edited since', async () => {
    const view = aView();
    const places = view.places.map((place) => (place?.line === 9 ? { ...place, state: 'stale' as const } : place));
    const { row, element } = await open({ ...view, places });
    expect(row('model.py:4').textContent).toContain('≈ 10.0 %');
    expect(row('model.py:3').textContent).not.toContain('≈');
    expect(row('model.py:9').textContent).toContain('edited since');
    expect(found(row('model.py:9'), '[role=img]').getAttribute('aria-label')).toBe('edited since');
    await click(row('model.py:9'));
    expect(found(element, 'aside').textContent).toContain('the numbers are of the line as it was');
  });

  test('orders phases by the share that is backward', async () => {
    const { element, rows } = await open();
    const header = [...element.querySelectorAll<HTMLElement>('[role=columnheader]')].find((each) =>
      each.textContent.startsWith('Phases'),
    );
    for (const first of ['model.py:3', 'model.py:4']) {
      await act(() => header?.click());
      expect(rows()[0]).toContain(first);
    }
  });

  test('says phases in letters beside their bar, and in words on hovering', async () => {
    const { row } = await open();
    expect(row('model.py:4').textContent).toContain('B 60 F 40');
    expect(row('model.py:4').innerHTML).toContain('backward 60 %, forward 40 %');
  });

  test('names the folders of files that have one name', () => {
    const lines = [aLine(1, 50, { path: 'a/model.py' }), aLine(1, 40, { path: 'b/model.py', file: '/w/b/model.py' })];
    expect(hotRows(aView({ lines }), 'lines').map(({ folder }) => folder)).toEqual(['a', 'b', '']);
    expect(hotRows(aView(), 'lines').map(({ folder }) => folder)).toEqual(['', '', '', '']);
  });

  test('goes to the line by Enter and by its link', async () => {
    const { row, host } = await open();
    await press(row('model.py:3'), 'ArrowDown');
    await press(row('model.py:9'), 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 9 });
    await click(found(row('model.py:3'), '.link'));
    expect(host.sent).toContainEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
  });

  test('groups by function and opens one to its lines', async () => {
    const { element, rows, row } = await open();
    await click(found(element, '[role=radio]:nth-child(2)'));
    expect(rows().map((text) => /block|loss|Unattributed/.exec(text)?.[0])).toEqual(['block', 'loss', 'Unattributed']);
    await press(row('block'), 'ArrowRight');
    expect(rows()).toHaveLength(5);
    expect(row('model.py:4').getAttribute('aria-level')).toBe('2');
    expect(row('block').getAttribute('aria-expanded')).toBe('true');
  });
});

describe('the search', () => {
  test('filters by any text and says what is filtered out', async () => {
    const host = new FakeHost();
    host.state = { panel: 'hotLines', values: { search: 'mean' } };
    const { rows, element } = await open(aView(), host);
    expect(rows()).toHaveLength(1);
    expect(found(element, '.status-line').textContent).toContain('1 of 4 rows have “mean”');
  });
});

describe('the status line', () => {
  test('accounts for the whole', async () => {
    const { element } = await open();
    expect(found(element, '.status-line').textContent).toContain(
      '3 lines hold 90.0 % of 100 ms of op time on 1 device · 10.0 ms unattributed',
    );
  });
});

describe('the details', () => {
  test('show the steps while nothing is selected, as a table too', async () => {
    const { details, element } = await open();
    expect(details()).toContain('median 21.0 ms');
    expect(details()).toContain('peak 23.0 ms (Step 5)');
    await act(() => found(element, 'aside vscode-toolbar-button').click());
    expect(found(element, 'aside [role=grid]').textContent).toContain('19.0 ms');
  });

  test('show phases and every op of the selected line, and go to the lines that it shares ops with', async () => {
    const { row, details, element, host } = await open();
    await click(row('model.py:4'));
    expect(details()).toContain('backward6.00 ms60.0 %6.0 %');
    expect(details()).toContain('dot_general');
    expect(details()).toContain('shared with model.py:3');
    await act(() => found(element, 'aside .ops vscode-toolbar-button').click());
    expect(host.sent.at(-1)).toMatchObject({ type: 'showIn', panel: 'opProfile', selection: { key: anOp().key } });
    await click(found(element, 'aside .ops .link'));
    expect(host.sent).toContainEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
    expect(details()).toContain('model.py:3');
  });

  test('show the ops that are on no line', async () => {
    const { row, details } = await open();
    await click(row('Unattributed'));
    expect(details()).toContain('copy.9');
  });
});

describe('selection', () => {
  test('is told to the other panels and taken from them', async () => {
    const { row, host, details } = await open();
    await click(row('model.py:9'));
    expect(host.sent).toContainEqual({ type: 'select', selection: { kind: 'line', file: '/w/model.py', line: 9 } });
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 4 } });
    expect(row('model.py:4').getAttribute('aria-selected')).toBe('true');
    expect(details()).toContain('gelu');
  });

  test('of an op elsewhere selects its line', async () => {
    const { row, host } = await open();
    await host.facts({ selection: { kind: 'op', key: anOp().key, file: '/w/model.py', line: 9 } });
    expect(row('model.py:9').getAttribute('aria-selected')).toBe('true');
    await host.facts({ selection: { kind: 'op', key: '7/copy.9', file: null, line: null } });
    expect(row('model.py:9').getAttribute('aria-selected')).toBe('true');
  });

  test('that is shown here a second time is selected again, in functions below its own', async () => {
    const { row, host, element } = await open();
    const selection = { kind: 'line', file: '/w/model.py', line: 4 } as const;
    await host.facts({ selection, selectionGeneration: 1 });
    await click(
      [...element.querySelectorAll('[role=radio]')].find(({ textContent }) => textContent === 'Functions') as Element,
    );
    expect(row('model.py:4').getAttribute('aria-selected')).toBe('true');
    await act(() => found(element, '[aria-expanded=true] .twistie').click());
    await host.facts({ selection, selectionGeneration: 2 });
    expect(row('model.py:4').getAttribute('aria-selected')).toBe('true');
  });

  test('of a line and of its ops leads to the other panels', async () => {
    const { row, host, element } = await open();
    await click(row('model.py:9'));
    await act(() => found(element, 'aside .ops vscode-toolbar-button').click());
    expect(host.sent.at(-1)).toEqual({
      type: 'showIn',
      panel: 'opProfile',
      selection: { kind: 'op', key: anOp().key, file: '/w/model.py', line: 9 },
    });
    await press(row('model.py:9'), 'ContextMenu');
    const items = [...element.querySelectorAll('[role=menuitem]')];
    expect(items.map(({ textContent }) => textContent).slice(1, 8)).toEqual([
      'Show in Timeline',
      'Show in Op Profile',
      'Show in Op Statistics',
      'Show in FLOPs',
      'Show in Flame Graph',
      'Show in Roofline',
      'Show in Memory Viewer',
    ]);
    await click(items[2] as Element);
    expect(host.sent.at(-1)).toEqual({
      type: 'showIn',
      panel: 'opProfile',
      selection: { kind: 'line', file: '/w/model.py', line: 9 },
    });
  });

  test('is kept when the run is read anew', async () => {
    const { row, host } = await open();
    await click(row('model.py:9'));
    await host.facts({ shownRunGeneration: 2 });
    expect(row('model.py:9').getAttribute('aria-selected')).toBe('true');
    await host.answer(aView());
    expect(row('model.py:9').getAttribute('aria-selected')).toBe('true');
  });
});

describe('lines that move in the texts', () => {
  test('are asked for again without a word, and nothing else changes', async () => {
    const host = new FakeHost();
    host.state = { panel: 'hotLines', values: { grouping: 'functions', search: 'model' } };
    const { rows, row, element } = await open(aView(), host);
    await press(row('block'), 'ArrowRight');
    await click(row('model.py:4'));
    const [before, asked] = [rows(), host.request.id];
    await host.facts({ placesGeneration: 1 });
    expect(host.request.id).not.toBe(asked);
    expect(rows()).toEqual(before);
    expect(element.querySelector('.state, .notice')).toBeNull();
    const view = aView();
    const places = view.places.map((place) => (place?.line === 3 ? { ...place, state: 'stale' as const } : place));
    await host.answer({ ...view, places });
    expect(row('model.py:3').textContent).toContain('edited since');
    expect(row('block').getAttribute('aria-expanded')).toBe('true');
    expect(row('model.py:4').getAttribute('aria-selected')).toBe('true');
    expect(rows()).toHaveLength(before.length);
  });

  test('are asked for once more where they moved again while they were asked for', async () => {
    const { host } = await open();
    await host.facts({ placesGeneration: 1 });
    await host.facts({ placesGeneration: 2 });
    const { id } = host.request;
    await host.answer(aView());
    await host.facts({ placesGeneration: 2 });
    expect(host.request.id).toBe(id);
  });
});

describe('the head', () => {
  test('states step time, what the wall clock went to, and warnings', async () => {
    const { element } = await open(aView({ findings: [aFinding('warning', 'Events were dropped.')] }));
    const text = element.textContent;
    expect(text).toContain('5 steps of 32.4 ms');
    expect(text).toContain('device busy 20.0 ms 95.2 %');
    expect(text).toContain('waiting for the host 1.00 ms 4.8 %');
    expect(text).not.toContain('compiling');
    expect(text).toContain('Events were dropped.');
    expect(found(element, '.facts').textContent).toContain('train.pyTPU v5esteps 1–5');
  });

  test('says why there are no steps', async () => {
    const { element } = await open(
      aView({ steps: [], findings: [aFinding('warning', 'No steps were found: no program repeats.')] }),
    );
    expect(element.textContent).toContain('No steps were found: no program repeats.');
  });
});

test('a record without lines says why and what to do', async () => {
  const { element } = await open(
    aView({ lines: [], findings: anEmpty('The profile has no device.', 'Capture it again.') }),
  );
  expect(element.textContent).toContain('The profile has no device.Capture it again.');
});

test('a narrow page has the three columns that matter', async () => {
  giveElementsSize(300, 700);
  const { element } = await open();
  const headers = [...element.querySelectorAll('main [role=columnheader]')].map((header) => header.textContent);
  expect(headers).toEqual(['Share', 'Line', 'Per step']);
  expect(element.querySelector('aside')).toBeNull();
});

test('another run does not show the lines of the one before', async () => {
  const { element, host } = await open();
  await host.facts({ shownRun: opened('/runs/b'), shownRunGeneration: 2 });
  expect(element.querySelector('.row')).toBeNull();
});
