// @vitest-environment happy-dom
import type { ComponentChild } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PanelId } from '../../../../../extension/src/panels/registry';
import { Counters } from '../../../../../extension/webview/panels/counters/counters';
import { InputPipeline } from '../../../../../extension/webview/panels/inputPipeline/inputPipeline';
import { MemoryProfile } from '../../../../../extension/webview/panels/memoryProfile/memoryProfile';
import { MemoryViewer } from '../../../../../extension/webview/panels/memoryViewer/memoryViewer';
import { Shapes } from '../../../../../extension/webview/panels/shapes/shapes';
import { countersView } from '../../counters/madeCounters';
import { inputView } from '../../inputPipeline/madeInput';
import { memoryView, MIB, profileView } from '../../memoryViewer/madeMemory';
import { shapesView } from '../../shapes/madeShapes';
import { click, FakeHost, found, giveElementsSize, rendered } from '../fakePage';
import { aComparedNode, aComparedTree, someSides } from '../madeChanges';
import { MS } from '../madeOps';
import { rowsIn } from '../rowsIn';

beforeEach(() => giveElementsSize(2400, 900));

async function open(panel: PanelId, content: ComponentChild, view: unknown) {
  const host = new FakeHost();
  const element = await rendered(host.page(panel), content);
  await host.facts();
  await host.answer(view);
  const titles = () =>
    [...element.querySelectorAll('[role=grid] [role=columnheader]')].map(({ textContent }) => textContent);
  /** What a row says in a column, both by what is in them. */
  const cell = (row: string, title: string) =>
    rowsIn(element).row(row).querySelectorAll('[role=gridcell]')[titles().findIndex((each) => each.startsWith(title))]
      ?.textContent;
  const compare = () => host.facts({ comparison: someSides, comparisonGeneration: 1 });
  return { host, element, titles, cell, compare };
}

describe('while its run is compared', () => {
  test('the Memory Viewer has what a buffer was, and those that are gone', async () => {
    const { host, element, titles, cell, compare } = await open('memoryViewer', <MemoryViewer />, memoryView());
    expect(titles()).not.toContain('Change');
    await compare();
    const { program_id: program, memory_space: space } = memoryView().record;
    expect(host.details).toMatchObject({
      details: 'comparedList',
      params: { of: 'buffers', program, memory_space: space },
    });
    await host.answerDetails(
      aComparedTree(
        [
          aComparedNode({ key: 'b:weights', kind: 'buffer', before: MIB, after: 2 * MIB, judged_by: 'exact' }),
          aComparedNode({ key: 'b:dot.1', kind: 'buffer', after: MIB, judged_by: 'exact' }),
          aComparedNode({ key: 'lost', kind: 'buffer', label: 'tanh f32[8]', before: 4 * MIB, judged_by: 'exact' }),
        ],
        { view: 'buffers', unit: 'bytes' },
      ),
    );
    expect(
      titles()
        .slice(2, 5)
        .map((each) => each.trim()),
    ).toEqual(['Size', 'Before', 'Change']);
    expect([cell('weights', 'Before'), cell('weights', 'Change')]).toEqual(['1 MiB', '+1 MiB']);
    expect([cell('dot.1', 'Before'), cell('dot.1', 'Change')]).toEqual(['none', 'new +1 MiB']);
    expect([cell('tanh f32[8]', 'Size'), cell('tanh f32[8]', 'Change')]).toEqual(['', 'gone −4 MiB']);
    // What was there at another moment has no counterpart.
    await click(rowsIn(element).row('weights'));
    const asked = host.sent.length;
    await click(found(element, '.buffer-card button'));
    expect(host.sent.slice(asked)).toMatchObject([{ type: 'details', details: 'memoryAt' }]);
    expect(titles()).not.toContain('Change');
  });

  test('the Memory Profile has what a line had at the largest snapshot, or at that of a moment they share', async () => {
    const [last] = profileView().record.snapshots;
    const snapshots =
      last === undefined ? [] : [last, { ...last, name: 'end', bytes: MIB }, { ...last, name: 'high-1', bytes: 1 }];
    const view = profileView({ memories: [], snapshots });
    const { host, element, titles, cell, compare } = await open('memoryProfile', <MemoryProfile />, view);
    await compare();
    expect(host.details).toMatchObject({ details: 'comparedList', params: { of: 'snapshot', snapshot: null } });
    const node = { key: 'train.py:12', kind: 'alive', judged_by: 'exact' } as const;
    await host.answerDetails(aComparedTree([aComparedNode({ ...node, before: 7 * MIB, after: 5 * MIB })]));
    expect([cell('train.py:12', 'Before'), cell('train.py:12', 'Change')]).toEqual(['7 MiB', '−2 MiB']);
    const select = found(element, 'label.select select') as HTMLSelectElement;
    const choose = (name: string) => {
      select.value = name;
      return act(() => void select.dispatchEvent(new Event('change', { bubbles: true })));
    };
    await choose('end');
    expect(host.details).toMatchObject({ details: 'comparedList', params: { of: 'snapshot', snapshot: 'end' } });
    // When memory was high differs from run to run.
    await choose('high-1');
    expect(titles()).not.toContain('Change');
  });

  test('Input Pipeline has the time of a stage in a step', async () => {
    const { host, titles, cell, compare } = await open('inputPipeline', <InputPipeline />, inputView());
    const { name, key } = inputView().record.stages.find(({ kind }) => kind === 'grain') ?? { name: '', key: '' };
    expect(cell(name, 'Self / step')).toBe('2.00 ms');
    await compare();
    expect(host.details).toMatchObject({ details: 'comparedList', params: { of: 'stages' } });
    const node = { key, kind: 'stage', judged_by: 'wall-clock', verdict: 'cannot-tell' } as const;
    await host.answerDetails(aComparedTree([aComparedNode({ ...node, before: MS, after: 2 * MS })]));
    expect([cell(name, 'Before'), cell(name, 'Change')]).toEqual(['1.00 ms', '+1.00 ms ±']);
    expect(titles().findIndex((each) => each.startsWith('Before'))).toBe(
      titles().findIndex((each) => each.startsWith('Self / step')) + 1,
    );
  });

  test('Shapes has what a run of a variant took, and of the others of its function alone what is gone', async () => {
    const { host, element, cell, compare } = await open('shapes', <Shapes />, shapesView());
    await compare();
    expect(host.details).toMatchObject({ details: 'comparedList', params: { of: 'variants' } });
    const gone = { kind: 'variant', before: 9 * MS } as const;
    await host.answerDetails(
      aComparedTree([
        aComparedNode({ key: 'variant 1', kind: 'variant', before: 10 * MS, after: 16 * MS, verdict: 'worse' }),
        aComparedNode({ ...gone, key: 'own', label: 'x f32[8,512]', function: 'jit_train_step' }),
        aComparedNode({ ...gone, key: 'other', label: 'y f32[9]', function: 'jit_other' }),
      ]),
    );
    expect([cell('f32[24,512]', 'Before'), cell('f32[24,512]', 'Change')]).toEqual(['10.0 ms', '+6.00 ms']);
    expect(cell('x f32[8,512]', 'Change')).toBe('gone −9.00 ms');
    expect(element.textContent).not.toContain('y f32[9]');
  });

  test('Counters have the time of an op in a step', async () => {
    const { host, titles, compare } = await open('counters', <Counters />, countersView());
    await compare();
    expect(host.details).toMatchObject({ details: 'compared', params: { by: 'op' } });
    expect(titles().map((each) => each.trim())).toEqual(expect.arrayContaining(['Before / step', 'Change / step']));
  });
});
