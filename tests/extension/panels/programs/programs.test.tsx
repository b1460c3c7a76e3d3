// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import type { ProgramsRecord } from '../../../../extension/src/protocol';
import { Programs } from '../../../../extension/webview/panels/programs/programs';
import { changedText, programName } from '../../../../extension/webview/panels/programs/words';
import { click, FakeHost, found, giveElementsSize, rendered } from '../shared/fakePage';
import { aProgram, programsView } from './madePrograms';

beforeEach(() => giveElementsSize(1400, 600));

async function open(values: Partial<ProgramsRecord> = {}) {
  const host = new FakeHost();
  const element = await rendered(host.page('programs'), <Programs />);
  await host.facts();
  await host.answer(programsView(values));
  return {
    host,
    element,
    pane: () => found(element, 'aside').textContent,
    rows: (label: string) =>
      [...element.querySelectorAll(`[role=grid][aria-label="${label}"] .row`)].map((row) =>
        [...row.querySelectorAll('[role=gridcell]')].map(({ textContent }) => textContent),
      ),
    press: (label: string) =>
      click([...element.querySelectorAll('[role=radio]')].find(({ textContent }) => textContent === label) as Element),
  };
}

test('every program is listed, most time first, with why it was compiled again', async () => {
  const { rows } = await open();
  expect(rows('Programs').map((cells) => cells.slice(0, 4))).toEqual([
    ['jit_train_step', '1 of 2', '12', '1'],
    ['jit_train_step', '2 of 2', '3', '0.25'],
    ['jit_evaluate', '', '0', ''],
  ]);
  expect(rows('Programs')[1]).toContain('x: f32[32,512] → f32[17,512]');
});

test('a program shows its arguments, and is selected in the other panels by name', async () => {
  const { element, host, pane } = await open();
  await click(element.querySelectorAll('[role=grid] .row')[1] as Element);
  expect(host.sent.at(-1)).toMatchObject({
    type: 'select',
    selection: { kind: 'program', name: 'jit_train_step (12)' },
  });
  expect(pane()).toContain("params['w'] f32[512,512]");
  expect(pane()).toContain('Variant 2 of 2');
});

test('compilations are by function, line and cause', async () => {
  const { rows, press, pane } = await open();
  await press('Compilations');
  expect(rows('Compilations').map((cells) => cells.slice(0, 6))).toEqual([
    ['train_step', 'train.py:71', 'first call', '2', '0', '1.26 s'],
    ['train_step', 'train.py:71', 'an argument changed', '1', '1', '840 ms'],
  ]);
  expect(pane()).toContain('Of it compiling again840 ms');
});

test('names and changes are written once', () => {
  expect(programName(aProgram('7'))).toBe('jit_train_step');
  expect(programName(aProgram('7', { variants: 2 }))).toBe('jit_train_step (7)');
  expect(changedText({ name: 'mask', before: null, after: 'bool[8]' })).toBe('mask: none → bool[8]');
});
