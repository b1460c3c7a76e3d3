// @vitest-environment happy-dom
import { aFinding } from './madeFindings';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { PageProvider } from '../../../../extension/webview/shared/page/page';
import { OpCard } from '../../../../extension/webview/shared/op/card/opCard';
import { opened } from '../../features/fakeDaemon';
import { FakeHost, click, found, giveElementsSize, rendered } from './fakePage';
import { aCard, anArray, anOpRow, GFLOP, MS } from './madeOps';

beforeEach(() => giveElementsSize(1400, 900));

async function open(card = aCard(), host = new FakeHost()) {
  const element = await rendered(host.page('opProfile'), <OpCard opKey={card.op.key} />);
  await host.facts();
  await host.answerDetails(card);
  /** The text of a section of the card. */
  const section = (title: string) => {
    const one = [...element.querySelectorAll('section')].find((each) =>
      each.querySelector('h3')?.textContent.includes(title),
    );
    if (one === undefined) {
      throw new Error(`The card has no section ${title}`);
    }
    return one;
  };
  const fact = (name: string) =>
    [...element.querySelectorAll('dl > div')].find((each) => each.querySelector('dt')?.textContent === name)?.lastChild
      ?.textContent;
  return { element, host, section, fact };
}

describe('the card of an op', () => {
  test('names it, and says where and what it is', async () => {
    const { element, host } = await open();
    expect(found(element, 'h2').textContent).toBe('dot_general · model.py:3 · forward');
    expect(found(element, '.op-in-xla').textContent).toBe('dot.1');
    const text = element.textContent;
    expect(text).toContain('convolution');
    expect(text).toContain('forward');
    expect(text).toContain('jit(train_step)/block/mlp/dot_general');
    await click(found(element, '.link'));
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 3 });
  });

  test('states its time: in all, on average, the least and the greatest, per step', async () => {
    const { fact } = await open();
    expect(fact('share of op time')).toBe('60.0 %');
    expect(fact('self')).toBe('60.0 ms');
    expect(fact('per step')).toBe('12.0 ms');
    expect(fact('executions')).toBe('5 (1 per step)');
    expect(fact('mean (least – greatest)')).toBe('12.0 ms (10.0 ms – 14.0 ms)');
    expect(fact('wasted')).toBe('24.0 ms');
    expect(fact('wall clock')).toBeUndefined();
  });

  test('of an op that did not run has no time that could be taken for a measured one', async () => {
    const { section, element, fact } = await open(
      aCard({ op: anOpRow({ executions: 0, self_ps: 0, wall_ps: 0, share_ratio: 0, per_step_ps: null }) }),
    );
    expect(section('Time').textContent).toContain('it did not run');
    expect(element.textContent).not.toMatch(/\b0 ps|\b0\.0 %/);
    expect(fact('FLOPs (f32)')).toBe('36.0 GFLOP');
  });

  test('holds its rates against the peak, which it names', async () => {
    const { fact, element } = await open();
    expect(fact('FLOPs (f32)')).toBe('36.0 GFLOP');
    expect(fact('with padding')).toBe('48.0 GFLOP');
    expect(fact('model FLOPs')).toBeUndefined();
    expect(fact('FLOP rate while it ran')).toBe('600 GFLOP/s, 60.0 % of the peak');
    expect(fact('main memory')).toBe('600 MiB');
    expect(fact('main memory rate')).toBe('9.77 GiB/s, 9.8 % of the peak');
    expect(fact('bound by')).toBe('compute');
    expect(element.innerHTML).toContain('The peak of TPU v5e is 1.00 TFLOP/s. The profile states it.');
  });

  test('states a rate above the peak as it is, and the notes on it', async () => {
    const note = 'Faster than the measured peak: its data was in cache.';
    const bytes = 12 * 600 * 2 ** 20;
    const op = anOpRow({
      bytes,
      bytes_by_space: { main: bytes },
      bandwidth_utilisation_ratio: 1.17,
      findings: [aFinding('note', note)],
    });
    const { fact, element } = await open(aCard({ op }));
    expect(fact('main memory rate')).toBe('117 GiB/s, 117.2 % of the peak');
    expect(found(element, '.row-note').textContent).toContain(note);
  });

  test('gives rates over the wall clock where several threads worked at once', async () => {
    const { fact } = await open(aCard({ op: anOpRow({ self_ps: 60 * MS, wall_ps: 30 * MS }) }));
    expect(fact('wall clock')).toBe('30.0 ms');
    expect(fact('FLOP rate while it ran')).toContain('1.20 TFLOP/s');
  });

  test('marks what is estimated, and never writes the unknown as nothing', async () => {
    const estimated = await open(aCard({ op: anOpRow({ basis: 'estimated' }) }));
    expect(estimated.fact('FLOPs (f32)')).toBe('≈ 36.0 GFLOP');
    const unknown = anOpRow({
      flops: null,
      model_flops: null,
      padded_flops: null,
      bytes: null,
      bytes_by_space: {},
      flop_utilisation_ratio: null,
      bound_by: null,
      wasted_ps: null,
    });
    const { fact } = await open(aCard({ op: unknown, peak: null }));
    expect(fact('FLOPs')).toBe('unknown');
    expect(fact('bytes')).toBe('unknown');
    expect(fact('FLOP rate while it ran')).toBeUndefined();
    expect(fact('wasted')).toBeUndefined();
  });

  test('says of every dimension how it stands to its tile', async () => {
    const { section } = await open();
    const text = section('Arrays').textContent;
    expect(text).toContain('6 KiB → 16 KiB');
    expect(text).toContain('f32[3,512]{1,0:T(8,128)}');
    expect(text).toContain('37.5 % used, the rest is padding');
    expect(text).toContain('batch 3 → 8 (tile 8, 37.5 % used)');
    expect(text).toContain('feature 512 fits: 4 × 128');
    expect(text).not.toContain('predicted');
  });

  test('says what is predicted, and nothing of tiles where there are none', async () => {
    const plain = anArray({
      role: 'p.0',
      layout: '{1,0}',
      padded_bytes: 6144,
      dims: [{ size: 3, padded: 3, tile: 1, role: 'batch' }],
      used_ratio: 1,
    });
    const { section } = await open(aCard({ arrays: [anArray({ predicted: true }), plain] }));
    const [first, second] = section('Arrays').querySelectorAll('.arrays > li');
    expect(first?.textContent).toContain('(predicted for the chosen target)');
    expect(second?.textContent).toBe('p.06 KiBf32[3,512]{1,0}');
  });

  test('shows how much of the matrix unit is used', async () => {
    const { section } = await open(
      aCard({
        matrix_unit: [
          {
            key: '7/dot.1',
            line_key: null,
            program: 'jit_train_step',
            program_id: '7',
            op: 'dot.1',
            path: null,
            file: null,
            line: null,
            shape: '[16,3]x[3,128]',
            dims: [
              { size: 16, padded: 128, tile: 128, role: 'batch' },
              { size: 3, padded: 8, tile: 8, role: 'contracting' },
            ],
            used_ratio: 0.046875,
            extra_bytes: null,
            basis: 'matrix-unit',
            predicted: false,
            self_ps: 60 * MS,
            share_ratio: 0.6,
            inner: 'dot.7',
            primitive: 'dot_general',
            phase: 'forward',
          },
        ],
      }),
    );
    expect(section('Matrix unit').textContent).toContain('dot.7[16,3]x[3,128]4.7 % used');
    expect(section('Matrix unit').textContent).toContain('batch 16 → 128 (tile 128, 12.5 % used)');
    expect(section('Matrix unit').textContent).toContain('contracting 3 → 8 (tile 8, 37.5 % used)');
  });

  test('lists fused elements with their work, of which the share is estimated', async () => {
    const element = {
      name: 'tanh.5',
      opcode: 'tanh',
      primitive: 'tanh',
      shape: 'f32[8,128]',
      flops: GFLOP,
      share_ratio: 0.25,
      path: 'model.py',
      file: '/w/model.py',
      line: 5,
    };
    const more = Array.from({ length: 60 }, (_, at) => ({ ...element, name: `add.${String(at)}`, flops: null }));
    const { section, host } = await open(aCard({ elements: [element, ...more] }));
    const elements = section('61 fused elements');
    expect(elements.querySelector('li')?.textContent).toContain('≈ 25.0 %tanhtanh.51.00 GFLOP');
    expect(elements.querySelectorAll('li')).toHaveLength(50);
    expect(elements.textContent).toContain('and 11 more');
    await click(found(elements, '.link'));
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/model.py', line: 5 });
  });

  test('links every frame of its stack, innermost first', async () => {
    const { section, host } = await open();
    const frames = [...section('Stack').querySelectorAll('li')];
    expect(frames.map(({ textContent }) => textContent)).toEqual(['model.py:3 block', 'train.py:57 loss.inner']);
    await click(found(frames[1] as Element, '.link'));
    expect(host.sent.at(-1)).toEqual({ type: 'goToLine', file: '/w/train.py', line: 57 });
  });

  test('has what the backend counted, and the whole expression to copy', async () => {
    const { section, element, host } = await open(aCard({ counters: { registers: '128', occupancy: '50 %' } }));
    expect(section('Counters').textContent).toBe('Countersregisters128occupancy50 %');
    found(element, '.expression vscode-toolbar-button').click();
    expect(host.sent.at(-1)).toEqual({ type: 'copy', text: aCard().expression });
  });

  test('leads to the same op in every other panel', async () => {
    const { element, host } = await open();
    const ways = [...element.querySelectorAll('.ways .link')];
    expect(ways.map(({ textContent }) => textContent)).toEqual([
      'Show in Timeline',
      'Show in Op Statistics',
      'Show in FLOPs',
      'Show in Flame Graph',
      'Show in Roofline',
      'Show in Graph',
      'Show in Memory Viewer',
      'Show in Hot Lines',
    ]);
    await click(ways[1] as Element);
    expect(host.sent.at(-1)).toMatchObject({ type: 'showIn', panel: 'opStatistics', selection: { key: '7/dot.1' } });
  });

  test.each([
    // A compiled program: what it would compute and keep is known, and no time.
    [
      { never_ran: true, has: ['programs'] as const },
      ['Show in Op Statistics', 'Show in FLOPs', 'Show in Flame Graph', 'Show in Graph', 'Show in Memory Viewer'],
    ],
    // A trace without the programs that ran.
    [
      { never_ran: false, has: ['executions', 'traces'] as const },
      [
        'Show in Timeline',
        'Show in Op Statistics',
        'Show in FLOPs',
        'Show in Flame Graph',
        'Show in Roofline',
        'Show in Hot Lines',
      ],
    ],
  ])('leads only to panels that have something of the run: %o', async (changes, expected) => {
    const { element, host } = await open();
    await host.facts({ shownRun: opened('/runs/a', changes) });
    const ways = [...element.querySelectorAll('.ways .link')];
    expect(ways.map(({ textContent }) => textContent)).toEqual(expected);
  });
});

describe('while it is fetched', () => {
  async function openTwice() {
    const host = new FakeHost();
    const page = host.page('opProfile');
    await rendered(page, <OpCard opKey="7/dot.1" />);
    await host.facts();
    await host.answerDetails(aCard());
    const element = document.body;
    const holder = element.firstElementChild as Element;
    const next = (
      <PageProvider value={page}>
        <OpCard opKey="7/dot.2" />
      </PageProvider>
    );
    await act(() => render(next, holder));
    return { host, element };
  }

  test('the card before stays for a moment, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { host, element } = await openTwice();
      expect(host.details.params).toEqual({ key: '7/dot.2', device: null });
      expect(found(element, '.op-card').getAttribute('aria-busy')).toBe('true');
      await act(() => void vi.advanceTimersByTime(400));
      expect(element.querySelector('.op-card')).toBeNull();
      await act(() => void vi.advanceTimersByTime(400));
      expect(element.textContent).toContain('Reading the op…');
    } finally {
      vi.useRealTimers();
    }
  });

  test('what fails is said in its place, and can be tried again', async () => {
    const { host, element } = await openTwice();
    const { id } = host.details;
    await host.say({ type: 'failure', id, message: 'The op is not in this run.' });
    expect(element.textContent).toContain('The op is not in this run.');
    expect(element.querySelector('.op-card')).toBeNull();
    await click(found(element, 'vscode-button:last-child'));
    expect(host.details.id).not.toBe(id);
    await host.answerDetails(aCard({ op: anOpRow({ name: 'dot.2' }) }));
    expect(found(element, '.op-in-xla').textContent).toBe('dot.2');
  });
});
