// @vitest-environment happy-dom
import { aFinding, anEmpty } from '../shared/madeFindings';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MemoryBreakdownRow } from '../../../../extension/src/protocol';
import { MemoryProfile } from '../../../../extension/webview/panels/memoryProfile/memoryProfile';
import { opened } from '../../features/fakeDaemon';
import { FakeHost, click, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { aMemory, aSample, MIB, profileRecord, profileView } from '../memoryViewer/madeMemory';

beforeEach(() => giveElementsSize(1000, 600));

async function open(view = profileView(), host = new FakeHost()) {
  const element = await rendered(host.page('memoryProfile'), <MemoryProfile />);
  await host.facts();
  await host.answer(view);
  const pane = () => found(element, 'aside').textContent;
  const chart = () => found(element, '.series-chart');
  const rows = (label: string) => [...element.querySelectorAll<HTMLElement>(`[role=grid][aria-label="${label}"] .row`)];
  return { element, host, pane, chart, rows };
}

const OUT_OF_MEMORY = {
  message: 'RESOURCE_EXHAUSTED: Out of memory allocating 1200000000000 bytes.',
  requested_bytes: 1.2e12,
  limit_bytes: null,
  stage: 'run',
  culprits: [
    {
      path: 'train.py',
      file: '/w/train.py',
      line: 7,
      function: 'outgrow',
      bytes: 1.2e12,
      findings: [aFinding('note', 'broadcast_to')],
      basis: 'traceback',
    },
  ],
  findings: [
    aFinding('error', '`train.py:7` asked for more memory than there is.'),
    aFinding('advice', 'Make it smaller.'),
  ],
} as const;

describe('the areas', () => {
  test('say at every sample what the allocator said, by the keyboard alone', async () => {
    const { chart, element, pane } = await open();
    expect(chart().tabIndex).toBe(0);
    await press(chart(), 'Home');
    expect(found(element, '.memory-areas .readout').textContent).toBe(
      '1.00 ms · stack 1 MiB · heap 4 MiB · free 3 MiB · fragmentation 25.0 % · allocation · step 3',
    );
    for (const fact of [
      'activityallocation',
      'requested0.977 KiB',
      'allocated1 KiB',
      'op–',
      'step3',
      'region–',
      'type–',
      'shape–',
    ]) {
      expect(pane()).toContain(fact);
    }
    await press(chart(), 'p');
    expect(found(element, 'aside h2').textContent).toBe('2.00 ms');
    expect(pane()).toContain('in use6 MiB');
  });

  test('have a legend of what there is alone', async () => {
    const legend = async (view = profileView()) => {
      const { element } = await open(view);
      return [...element.querySelectorAll('.memory-areas .legend li')].map((item) => item.textContent.trim());
    };
    expect(await legend()).toEqual(['stack', 'heap', 'free', 'fragmentation of what is free (right axis)', 'snapshot']);
    const bare = aSample(0, { stack_bytes: null, free_bytes: null, fragmentation_ratio: null });
    const process = aMemory({ kind: 'process', samples: [bare, { ...bare, time_ps: 2e9 }] });
    expect(await legend(profileView({ memories: [process], snapshots: [] }))).toEqual(['resident']);
  });

  test('have the same numbers as a table', async () => {
    const { element, rows } = await open();
    await click(found(element, '.tool-row vscode-toolbar-button'));
    const [first] = rows('Memory by sample');
    expect(rows('Memory by sample')).toHaveLength(2);
    expect(first?.textContent).toContain('1.00 ms1 MiB4 MiB3 MiB25.0 %');
    await click(first as Element);
    expect(found(element, 'aside h2').textContent).toBe('1.00 ms');
  });
});

test('one reading is a row and no curve, and the panel says what would be one', async () => {
  const { element, rows } = await open(profileView({ memories: [aMemory({ samples: [aSample(1)] })], snapshots: [] }));
  expect(element.querySelector('.series-chart')).toBeNull();
  expect(element.querySelector('.tool-row vscode-toolbar-button')).toBeNull();
  expect(found(element, '.only-reading').textContent).toBe(
    'Memory was read once while the profile was taken: a curve needs a longer window.',
  );
  expect(rows('Memory by sample')).toHaveLength(1);
});

describe('the memories', () => {
  test('are chosen; one says where nothing tells what it held', async () => {
    const { element, rows } = await open();
    expect(found(element, '.figures').textContent).toContain('6 MiB75.0 % of 8 MiB');
    const select = found(element, 'select') as HTMLSelectElement;
    select.selectedIndex = 1;
    await act(() => {
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(found(element, '.figures').textContent).toContain('2 MiB25.0 % of 8 MiB');
    expect(rows('In use at the peak')).toHaveLength(0);
    expect(element.textContent).toContain('Nothing tells what this memory was in use for at its peak.');
  });

  test('open at the one with the greatest peak of the first kind', async () => {
    const gpu = (id: string, peak_bytes: number) => aMemory({ id, name: `GPU:${id}`, peak_bytes });
    const process = aMemory({ id: 'process', name: 'Process', kind: 'process', peak_bytes: 90 * MIB });
    const { element } = await open(profileView({ memories: [gpu('0', 3 * MIB), gpu('6', 6 * MIB), process] }));
    expect((found(element, 'select') as HTMLSelectElement).value).toBe('6');
    expect(found(element, '.figures').textContent).toContain('6 MiB75.0 % of 8 MiB');
  });

  test('of samples have the peak of the window beside that of all, and say what times count from', async () => {
    const sampled = aMemory({ source: 'samples', window_peak_bytes: 3 * (1 << 20), window_peak_ps: 1e9 });
    const { element } = await open(profileView({ memories: [sampled], trace_ps: 5e8 }));
    expect(found(element, '.figures').textContent).toContain('Peak6 MiB75.0 % of 8 MiBAt2.00 ms');
    expect(found(element, '.figures').textContent).toContain('Peak in the window3 MiBat 1.00 ms');
    expect(found(element, '.status-line').textContent).toContain('the trace begins at 500 µs');
    const before = aMemory({ source: 'samples', window_peak_bytes: null, window_peak_ps: null });
    const outside = await open(profileView({ memories: [before] }));
    expect(found(outside.element, '.figures').textContent).toContain('Peak in the window–no sample in it');
    expect(found(outside.element, '.status-line').textContent).not.toContain('times count');
  });

  test('say how many samples are left out', async () => {
    const { element } = await open();
    expect(found(element, '.status-line').textContent).toContain('2 of 5\u202f000 samples are drawn');
    const single = aMemory({ samples: [aSample(0)], sample_count: 1 });
    const { element: ofOne } = await open(profileView({ memories: [single] }));
    expect(found(ofOne, '.status-line').textContent).toContain('· 1 sample ·');
  });
});

describe('what was in use at the peak', () => {
  test('tells what was measured from what was joined, and leads to its line', async () => {
    const { rows, host, pane } = await open();
    const [joined, measured] = rows('In use at the peak');
    expect(joined?.textContent).toContain('dot_general · model.py:3 · backward');
    expect(joined?.textContent).toContain('≈ joined');
    expect(joined?.className).toContain('joined');
    expect(measured?.textContent).toContain('stack1 MiB');
    expect(measured?.textContent).not.toContain('≈');
    await click(joined as Element);
    expect(pane()).toContain('told by the program that ran then or the snapshot of then');
    expect(host.sent).toContainEqual({
      type: 'select',
      selection: { kind: 'line', file: '/w/model.py', line: 3 },
    });
    await press(joined as Element, 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
  });

  test('has all that is known of it in a panel of common width, and no column that no row has', async () => {
    const [joined, measured] = aMemory().breakdown as [MemoryBreakdownRow, MemoryBreakdownRow];
    const headers = async (breakdown: readonly MemoryBreakdownRow[]) => {
      giveElementsSize(740, 600);
      const { element } = await open(profileView({ memories: [aMemory({ breakdown })] }));
      const cells = element.querySelectorAll('[role=grid][aria-label="In use at the peak"] [role=columnheader]');
      return [...cells].map(({ textContent }) => textContent.trim());
    };
    const all = await headers([joined, measured]);
    for (const title of ['Op', 'Size', 'Requested', 'Count', 'Shape', 'Type', 'Region', 'Line']) {
      expect(all).toContain(title);
    }
    const ofMeasured = await headers([measured]);
    for (const title of ['Shape', 'Type', 'Line']) {
      expect(ofMeasured).not.toContain(title);
    }
    expect(ofMeasured).toContain('Basis');
  });

  test('says so where it has no name', async () => {
    const breakdown = [{ ...(aMemory().breakdown[1] as MemoryBreakdownRow), findings: [] }];
    const { rows, pane } = await open(profileView({ memories: [aMemory({ breakdown })] }));
    expect(rows('In use at the peak')[0]?.textContent).toContain('(unnamed)');
    await click(rows('In use at the peak')[0] as Element);
    expect(pane()).toContain('(unnamed)');
  });

  test('is looked at again after a sample was', async () => {
    const { rows, chart, pane } = await open();
    await click(rows('In use at the peak')[0] as Element);
    await press(chart(), 'p');
    expect(pane()).toContain('in use6 MiB');
    await click(rows('In use at the peak')[0] as Element);
    expect(pane()).toContain('of the peak');
  });

  test('is selected by the line that is selected elsewhere', async () => {
    const { host, rows } = await open();
    await host.facts({ selection: { kind: 'line', file: '/w/model.py', line: 3 } });
    expect(rows('In use at the peak')[0]?.getAttribute('aria-selected')).toBe('true');
  });
});

describe('snapshots', () => {
  test('list lines with their stack, each frame a way to its line', async () => {
    const { element, rows, host, pane } = await open();
    const radios = [...element.querySelectorAll('[role=radio]')];
    await click(radios.find(({ textContent }) => textContent === 'Snapshots by Line') as Element);
    const [row] = rows('Snapshot by line');
    expect(row?.textContent).toContain('train.py:125 MiB3main.init');
    await click(row as Element);
    expect(pane()).toContain('of unknown size1');
    const frames = [...element.querySelectorAll<HTMLElement>('.stack .link')];
    await click(frames[1] as Element);
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/train.py', line: 30 });
  });

  test('have their device beside them in a panel of common width', async () => {
    giveElementsSize(620, 600);
    const { rows } = await open(profileView({ memories: [] }));
    expect(rows('Snapshot by line')[0]?.textContent).toContain('TPU:0');
  });

  test('stand alone where there is nothing else', async () => {
    const { element, rows } = await open(profileView({ memories: [] }));
    expect(found(element, 'main > .tool-row').textContent.match(/Snapshot/g)).toHaveLength(1);
    expect(rows('Snapshot by line')).toHaveLength(1);
    expect(element.querySelector('.series-chart')).toBeNull();
  });
});

describe('a run that ran out of memory', () => {
  test('says so first, with the line that took it and what to do', async () => {
    const { element, rows, host } = await open(profileView({ out_of_memory: OUT_OF_MEMORY }));
    const alert = found(element, '[role=alert]');
    expect(alert.textContent).toContain('train.py:7 asked for more memory than there is.');
    expect(alert.textContent).toContain('Make it smaller.');
    expect(alert.textContent).toContain('RESOURCE_EXHAUSTED');
    const [culprit] = rows('Lines that took the memory');
    expect(culprit?.textContent).toContain('train.py:7');
    expect(culprit?.textContent).toContain('the traceback');
    await press(culprit as Element, 'Enter');
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/train.py', line: 7 });
  });

  test('says so also where nothing was sampled', async () => {
    const nothing = { memories: [], snapshots: [], findings: anEmpty('Nothing was sampled.') };
    const { element } = await open(profileView({ ...nothing, out_of_memory: OUT_OF_MEMORY }));
    expect(found(element, '[role=alert]').textContent).toContain('asked for more memory');
  });
});

test('says why there is nothing to show', async () => {
  const host = new FakeHost();
  const element = await rendered(host.page('memoryProfile'), <MemoryProfile />);
  await host.facts();
  await host.answer({
    ...profileView(),
    record: profileRecord({
      memories: [],
      snapshots: [],
      findings: anEmpty('It was not asked for.', 'Profile again.'),
    }),
  });
  expect(element.textContent).toContain('It was not asked for.');
  expect(element.textContent).toContain('Profile again.');
});

describe('of a snapshot that was opened as a file', () => {
  async function openFile(path: string) {
    const host = new FakeHost();
    const element = await rendered(host.page('memoryProfile', path), <MemoryProfile />);
    await host.facts({ shownRun: null });
    return { host, element };
  }

  test('asks for that file, whatever run is shown', async () => {
    const { host, element } = await openFile('/w/memory.prof');
    expect(host.request).toMatchObject({ view: 'memory-profile', params: { path: '/w/memory.prof' } });
    await host.answer(profileView());
    expect(element.textContent).toContain('1 snapshot');
    const asked = host.sent.length;
    await host.facts({ shownRun: opened('/runs/b'), shownRunGeneration: 7 });
    expect(host.sent).toHaveLength(asked);
  });

  test('says in one sentence that a file of this name is of another tool', async () => {
    const { host, element } = await openFile('/w/train.prof');
    const sentence = 'train.prof is no snapshot of memory that jax saved: open it with the tool that wrote it.';
    await host.say({ type: 'failure', id: host.request.id, message: sentence });
    expect(found(element, '.reason').textContent.trim()).toBe(sentence);
  });
});
