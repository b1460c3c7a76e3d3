// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import type { CompatibilityRecord } from '../../../../extension/src/protocol';
import { Compatibility } from '../../../../extension/webview/panels/compatibility/compatibility';
import { compiledName, isProgram } from '../../../../extension/webview/panels/compatibility/words';
import { click, FakeHost, found, giveElementsSize, rendered } from '../shared/fakePage';
import { anEmpty } from '../shared/madeFindings';
import { aPlace, compatibilityView } from './madeCompatibility';

beforeEach(() => giveElementsSize(1600, 600));

async function open(values: Partial<CompatibilityRecord> = {}) {
  const host = new FakeHost();
  const element = await rendered(host.page('compatibility'), <Compatibility />);
  await host.facts();
  await host.answer(compatibilityView(values));
  return {
    host,
    element,
    pane: () => found(element, 'aside').textContent,
    cells: () =>
      [...element.querySelectorAll('[role=grid] .row')].map((row) =>
        [...row.querySelectorAll('[role=gridcell]')].map(({ textContent }) => textContent.trim()),
      ),
    press: (label: string) =>
      click([...element.querySelectorAll('[role=radio]')].find(({ textContent }) => textContent === label) as Element),
  };
}

test('ops that are not native are listed, what is refused first, each with its line and what was said', async () => {
  const { cells } = await open();
  expect(cells().map((row) => row.slice(0, 5))).toEqual([
    ['eig', 'refused', '1', 'train.py:12', "MLIR translation rule for primitive 'eig' not found for platform tpu"],
    ['pallas_call', 'refused', '1', 'train.py:30', 'AssertionError'],
    ['fft', 'refused', '1', 'train.py:31', 'Unexpected operand type for FFT: c128[8,8]{1,0}'],
    ['custom_partitioning', 'not judged', '1', 'train.py:40', ''],
    ['debug_print', 'on the host', '1', 'train.py:41', ''],
    ['dot_general', 'emulated', '10', 'train.py:22', 'float64'],
  ]);
});

test('the head counts every verdict, and the pane says what helps', async () => {
  const { element, pane } = await open();
  expect(found(element, '.figures').textContent).toBe(
    'Valid86.7 %of 30 opsRefused310.0 %Not judged13.3 %On the host13.3 %Emulated1033.3 %Native1550.0 %',
  );
  expect(pane()).toContain('Compute it on the host with jax.pure_callback.');
});

test('an op shows all that was said of it, and its line is selected in the other panels', async () => {
  const { element, host, pane } = await open();
  await click(element.querySelectorAll('[role=grid] .row')[2] as Element);
  expect(pane()).toContain('Element types that it lackscomplex128');
  expect(found(element, 'pre.said').textContent).toContain('during context [pre-optimization]');
  expect(host.sent.at(-1)).toMatchObject({ type: 'select', selection: { kind: 'line', line: 31 } });
});

test('scopes have the share of their ops that is valid, and show which are not', async () => {
  const { cells, press, element, pane, host } = await open();
  await press('Scopes');
  expect(cells()).toEqual([
    ['model/attention', '50.0 %', '4', '2', '', '2'],
    ['model', '83.3 %', '18', '3', '10', '5'],
    ['model/project', '100.0 %', '10', '', '10', ''],
  ]);
  await click(element.querySelectorAll('[role=grid] .row')[0] as Element);
  expect(pane()).toContain('pallas_call');
  expect(pane()).not.toContain('dot_general');
  expect(host.sent.at(-1)).toMatchObject({ selection: { kind: 'scope', name: 'model/attention' } });
});

test('programs say what becomes of them, and are selected by the name of what is compiled', async () => {
  const { cells, press, element, host } = await open();
  await press('Programs');
  expect(cells().map((row) => row.slice(0, 4))).toEqual([
    ['jit(step)', 'refused by jax', '1', '80.0 %'],
    ['jit(initial)', 'compiles', '4', '100.0 %'],
  ]);
  await click(element.querySelectorAll('[role=grid] .row')[0] as Element);
  expect(host.sent.at(-1)).toMatchObject({ selection: { kind: 'program', name: 'jit_step' } });
});

test('lines and functions have their shares too', async () => {
  const { cells, press } = await open();
  await press('Lines');
  expect(cells().map((row) => row.slice(0, 2))).toEqual([
    ['train.py:12', '0.0 %'],
    ['train.py:22', '100.0 %'],
  ]);
  await press('Functions');
  expect(cells().map((row) => row.slice(0, 3))).toEqual([
    ['attention', 'train.py:28', '50.0 %'],
    ['project', 'train.py:22', '100.0 %'],
  ]);
});

test('where every op is native its lines are listed', async () => {
  const { cells } = await open({
    ops: [],
    lines: [aPlace({ kind: 'line', path: 'train.py', file: '/t/train.py', line: 3 })],
  });
  expect(cells()).toEqual([['train.py:3', '100.0 %', '20', '20']]);
});

test('a run that was measured says so', async () => {
  const { element } = await open({ total: null, ops: [], findings: anEmpty('This run was measured.') });
  expect(element.textContent).toContain('This run was measured.');
});

test('programs go by one name', () => {
  expect(compiledName('jit(train_step)')).toBe('jit_train_step');
  expect(isProgram('jit(train_step)', 'jit_train_step (12)')).toBe(true);
  expect(isProgram('jit(train_step)', 'jit_train')).toBe(false);
});
