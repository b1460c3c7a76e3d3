// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { chartsOf, groupsOf, missingText, readingsAt } from '../../../../extension/webview/panels/resources/charts';
import { stepColumns } from '../../../../extension/webview/panels/resources/columns';
import { Resources } from '../../../../extension/webview/panels/resources/resources';
import { aFinding, anEmpty } from '../shared/madeFindings';
import { FakeHost, click, found, giveElementsSize, press, rendered } from '../shared/fakePage';
import { aProcess, aSeries, aThread, resourcesRecord, resourcesView, S } from './madeResources';

beforeEach(() => giveElementsSize(1000, 600));

async function open(view = resourcesView(), host = new FakeHost()) {
  const element = await rendered(host.page('resources'), <Resources />);
  await host.facts();
  await host.answer(view);
  const choose = async (label: string, among = 'List') => {
    const buttons = [...element.querySelectorAll(`[aria-label=${among}] [role=radio]`)];
    const button = buttons.find(({ textContent }) => textContent === label);
    await click(button as Element);
  };
  return {
    element,
    choose,
    pane: () => found(element, 'aside').textContent,
    charts: () => [...element.querySelectorAll<HTMLElement>('.series-chart')],
    titles: () => [...element.querySelectorAll('.chart-title')].map(({ textContent }) => textContent),
    rows: (label: string) => [...element.querySelectorAll<HTMLElement>(`[role=grid][aria-label="${label}"] .row`)],
  };
}

describe('the charts', () => {
  test('are those of one group, whose legend says what happened alone', async () => {
    const { titles, choose, element } = await open();
    expect(titles()).toEqual(['Time of all cores', 'Threads of the machine']);
    const legend = () => [...element.querySelectorAll('.legend li')].map(({ textContent }) => textContent.trim());
    expect(legend()).toEqual(['user', 'system', 'waiting for a disk', 'run or could', 'blocked on a disk']);
    await choose('Threads', 'Charts');
    expect(titles()).toEqual(['Threads by name: of a core', 'Threads by name: waiting for a core']);
    expect(legend().slice(0, 3)).toEqual(['tf_XLAEigen 4100 (2 threads)', 'python 4100 (main thread)', '7 others']);
  });

  test('are read by the keyboard alone, all at the same moment', async () => {
    const { charts, pane, element } = await open();
    await press(charts()[0] as Element, 'Home');
    const readouts = [...element.querySelectorAll('.readout')].map(({ textContent }) => textContent);
    expect(readouts[0]).toMatch(/^Time of all cores −3\.00 s to −2\.95 s · user \d+\.\d % · system/);
    expect(readouts[1]).toMatch(/^Threads of the machine −3\.00 s to −2\.95 s · run or could/);
    expect(pane()).toContain('in no complete step');
    await press(charts()[0] as Element, 'Enter');
    // The first shows the whole run, the second lets go of the reading.
    await press(charts()[0] as Element, 'Escape');
    await press(charts()[0] as Element, 'Escape');
    expect(pane()).toContain('The machine');
  });

  test('have the same numbers as a table', async () => {
    const { element, rows, pane } = await open(
      resourcesView({ edges_ps: [0, S, 2 * S], series: [aSeries('cpu_user_ratio', [0.25, null])] }),
    );
    await click(found(element, '.tool-row vscode-toolbar-button'));
    expect(rows('Cores by reading').map(({ textContent }) => textContent)).toEqual([
      '0 s1.00 s25.0 %',
      '1.00 s2.00 s–',
    ]);
    await click(rows('Cores by reading')[1] as Element);
    expect(pane()).toContain('user–');
  });

  test('stack shares of all cores, and know no sum of what is not known in part', () => {
    const record = resourcesRecord({
      edges_ps: [0, 1, 2],
      series: [aSeries('cpu_user_ratio', [0.5, 0.5]), aSeries('cpu_system_ratio', [0.25, null])],
    });
    const [shares] = chartsOf(record, 'cores');
    expect(shares?.drawn.map(({ values }) => [...Array.from(values)])).toEqual([
      [0.75, null, null],
      [0.5, 0.5, 0.5],
    ]);
    expect(shares?.greatest).toBe(1);
    expect(readingsAt(shares as NonNullable<typeof shares>, 0)).toEqual([
      { name: 'user', value: 0.5 },
      { name: 'system', value: 0.25 },
    ]);
  });

  test('say of shares of time no more than all of it, and name what it is of', () => {
    const record = resourcesRecord({
      edges_ps: [0, 1, 2],
      series: [
        aSeries('cpu_pressure_ratio', [0.5, 1.4], { step_values: [1.2, null] }),
        aSeries('available_bytes', [9, 8]),
      ],
      memory_bytes: 10,
    });
    const [pressure] = chartsOf(record, 'contention');
    expect(pressure?.title).toBe('Time in which some thread lacked a core, a disk or memory');
    expect(pressure?.series[0]).toMatchObject({ values: [0.5, 1], step_values: [1, null] });
    const [memory] = chartsOf(record, 'memory');
    expect(memory?.title).toBe('Memory of the machine: available');
    expect(memory?.greatest).toBeGreaterThan(10);
    expect(memory?.level).toEqual({ value: 10, text: 'all memory', isAbove: true });
  });

  test('say why there are no networks among disks and networks', () => {
    const disks = aSeries('disk_read_bytes_per_s', [1, 2]);
    const quiet = aSeries('network_received_bytes_per_s', [0, 0]);
    const busy = aSeries('network_received_bytes_per_s', [0, 5]);
    const missing = (...series: readonly ReturnType<typeof aSeries>[]) =>
      missingText(resourcesRecord({ series }), 'transfer');
    expect(missing(disks)).toContain('could not be read');
    expect(missing(disks, quiet)).toContain('nothing was received or sent');
    expect(missing(disks, busy)).toBeNull();
    expect(missingText(resourcesRecord({ series: [disks] }), 'cores')).toBeNull();
  });

  test('of what was not read are not offered', () => {
    expect(groupsOf(resourcesRecord())).not.toContain('accelerators');
    const busy = aSeries('device_busy_ratio', [0.5, 1], { name: 'GPU 0' });
    expect(groupsOf(resourcesRecord({ series: [busy] }))).toEqual(['accelerators']);
  });
});

describe('the lists', () => {
  test('have threads, the main one and those that came and went by name', async () => {
    const { rows, pane } = await open();
    const texts = rows('Threads').map(({ textContent }) => textContent);
    expect(texts[0]).toContain('410770.0 %20.0 %');
    expect(texts.some((text) => text.startsWith('python (main thread)'))).toBe(true);
    expect(texts.at(-1)).toContain('(came and went between looks)');
    await click(rows('Threads')[0] as Element);
    expect(pane()).toContain('on a core in the steps350 ms');
    expect(pane()).toContain('mean of the complete steps');
  });

  test('have processes, the script and its workers', async () => {
    const { rows, choose, pane } = await open();
    await choose('Processes');
    const list = rows('Processes');
    expect(list.map(({ textContent }) => textContent.slice(0, 28))).toEqual([
      'python (the script)4100175.0',
      'pt_data_workerDataLoader4188',
    ]);
    await click(list[1] as Element);
    expect(pane()).toContain('made by4100');
    await press(list[1] as Element, 'Escape');
    expect(pane()).toContain('The machine');
  });

  test('have the operations on data that rows work for, where any does', async () => {
    const works = { works_for: ['Map(decode)', 'Batch'] };
    const { rows, choose, pane } = await open(
      resourcesView({ threads: [aThread(works)], processes: [aProcess(), aProcess({ key: 'process 9', pid: 9 })] }),
    );
    expect(rows('Threads')[0]?.textContent).toContain('Map(decode), Batch');
    await click(rows('Threads')[0] as Element);
    expect(pane()).toContain('works forMap(decode), Batch');
    await choose('Processes');
    await click(rows('Processes')[0] as Element);
    expect(pane()).not.toContain('works for');
  });

  test('have room for the titles of the means of each step', () => {
    const columns = stepColumns(chartsOf(resourcesRecord(), 'cores'));
    const narrow = columns.filter(({ title, least_px, width_px }) => (least_px ?? width_px) < title.length * 6.5 + 16);
    expect(narrow.map(({ title }) => title)).toEqual([]);
  });

  test('have the means of each step, which Enter shows alone', async () => {
    const { rows, choose, pane, element } = await open();
    await choose('Steps');
    expect(rows('Steps')).toHaveLength(5);
    await click(rows('Steps')[1] as Element);
    expect(pane()).toContain('step 2');
    expect(pane()).toContain('200 ms, from 250 ms on');
    await press(rows('Steps')[1] as Element, 'Enter');
    const isChosen = [...element.querySelectorAll('[aria-label=Shown] [role=radio]')].map((each) =>
      each.getAttribute('aria-checked'),
    );
    expect(isChosen).toEqual(['false', 'false']);
  });
});

describe('the head', () => {
  test('says what the machine did and how much of it was the script', async () => {
    const { element } = await open();
    const text = found(element, '.figures').textContent;
    expect(text).toContain('of 4 cores');
    expect(text).toContain('Script225.0 %of a core, 2 processes');
    expect(text).toContain('Waits for a core42.0 %');
    expect(text).toContain('at most in the steps, of');
  });

  test('is of the complete steps whatever other panels are of', async () => {
    const host = new FakeHost();
    const { element } = await open(resourcesView(), host);
    await host.facts({ scope: 'window' });
    expect(found(element, '.top-bar .facts').textContent).toMatch(/mean of the complete steps$/);
  });

  test('does not say 0 of what is not known', async () => {
    const process = aProcess({ waiting_ratio: null, resident_bytes: null });
    const { element } = await open(resourcesView({ processes: [process], threads: [aThread()], cores: null }));
    expect(found(element, '.figures').textContent).toContain('Waits for a core–');
    expect(found(element, '.figures').textContent).toContain('of all cores');
  });
});

test('advice stands with the machine, warnings above', async () => {
  const findings = [
    aFinding('advice', 'Use fewer threads.'),
    aFinding('warning', 'The use of GPUs could not be read.'),
  ];
  const { element, pane } = await open(resourcesView({ findings }));
  expect(pane()).toContain('Use fewer threads.');
  expect(found(element, 'main').textContent).toContain('The use of GPUs could not be read.');
});

test('an empty record says why, and what to do', async () => {
  const empty = { series: [], edges_ps: [], processes: [], threads: [], steps: [], readings: 0 };
  const { element } = await open(
    resourcesView({ ...empty, findings: anEmpty('Captured with --no-resources.', 'Capture again without it.') }),
  );
  expect(element.textContent).toContain('Captured with --no-resources.');
  expect(element.querySelector('.series-chart')).toBeNull();
});
