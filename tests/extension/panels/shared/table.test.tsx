// @vitest-environment happy-dom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { PageProvider } from '../../../../extension/webview/shared/page/page';
import type { Column } from '../../../../extension/webview/shared/table/columns';
import { Table } from '../../../../extension/webview/shared/table/table';
import { tableState } from '../../../../extension/webview/shared/table/tableState';
import { FakeHost, click, found, giveElementsSize, press } from './fakePage';

const columns: readonly Column<number>[] = [
  { id: 'n', title: 'Number', width_px: 80, align: 'end', value: (n) => n, text: (n) => `${n}` },
  { id: 'name', title: 'Name', width_px: 80, value: (n) => `row ${n}`, text: (n) => `row ${n}` },
];

beforeEach(() => giveElementsSize(400, 264));

async function shown(count: number, host = new FakeHost(), search = '') {
  const page = host.page();
  const state = tableState(page.saved, 'test', { column: 'n', descending: true });
  const onOpen = vi.fn(() => true);
  const element = document.createElement('div');
  document.body.replaceChildren(element);
  const show = (roots: readonly number[], words: string) =>
    act(() =>
      render(
        <PageProvider value={page}>
          <Table
            label="Numbers"
            columns={columns}
            state={state}
            search={words}
            roots={roots}
            keyOf={String}
            onOpen={onOpen}
          />
        </PageProvider>,
        element,
      ),
    );
  await show(numbers(count), search);
  const rows = () => [...element.querySelectorAll<HTMLElement>('.row')];
  const selected = () => element.querySelector('[aria-selected=true]')?.textContent;
  return { element, host, state, onOpen, rows, selected, show };
}

/** As a browser sends it where nothing is selected: to the body, whatever has the focus. */
function copyEvent(): Event {
  const event = new Event('copy', { bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  return event;
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

describe('a table', () => {
  test('brings the selected row into sight again when what is selected is to be shown again', async () => {
    const { element, host, state } = await shown(1000);
    const grid = found(element, '[role=grid]');
    const line = { kind: 'line', file: '/w/a.py', line: 3 } as const;
    await host.facts({ selection: line, selectionGeneration: 1 });
    await act(() => void (state.selected.value = '990'));
    grid.scrollTop = 20_000;
    await act(() => void grid.dispatchEvent(new Event('scroll')));
    await host.facts({ selection: line, selectionGeneration: 1 });
    expect(grid.scrollTop).toBe(20_000);
    await host.facts({ selection: line, selectionGeneration: 2 });
    expect(grid.scrollTop).toBeLessThan(300);
    expect(element.querySelector('[aria-selected=true]')?.textContent).toContain('row 990');
  });

  test('of 100,000 rows draws those in sight and counts all', async () => {
    const { element, rows } = await shown(100_000);
    expect(rows().length).toBeGreaterThan(9);
    expect(rows().length).toBeLessThan(40);
    expect(found(element, '[role=grid]').getAttribute('aria-rowcount')).toBe('100001');
    expect(rows()[0]?.textContent).toContain('99999');
  });

  test('goes to the end and back by keys, and scrolls along', async () => {
    const { element, rows, selected } = await shown(100_000);
    await press(found(element, '[tabindex="0"].row'), 'End');
    expect(selected()).toBe('0row 0');
    expect(found(element, '[role=grid]').scrollTop).toBeGreaterThan(2_000_000);
    expect(document.activeElement?.textContent).toBe('0row 0');
    await press(found(element, '[aria-selected=true]'), 'PageUp');
    expect(selected()).toBe('9row 9');
    await press(found(element, '[aria-selected=true]'), 'Home');
    expect(selected()).toBe('99999row 99999');
    expect(rows().length).toBeLessThan(40);
  });

  test('is one stop of the Tab key', async () => {
    const { rows } = await shown(50);
    expect(rows().filter((row) => row.tabIndex === 0)).toHaveLength(1);
  });

  test('sorts by its header, by mouse and by keyboard', async () => {
    const { element, rows } = await shown(50);
    const [number, name] = element.querySelectorAll('[role=columnheader]');
    expect(number?.getAttribute('aria-sort')).toBe('descending');
    await click(number as Element);
    expect(rows()[0]?.textContent).toBe('0row 0');
    expect(number?.getAttribute('aria-sort')).toBe('ascending');
    await press(name as Element, 'Enter');
    await press(name as Element, 'Enter');
    expect(rows()[0]?.textContent).toBe('49row 49');
    expect(name?.getAttribute('aria-sort')).toBe('descending');
  });

  test('resizes a column by keyboard, and remembers', async () => {
    const { element, host } = await shown(5);
    await press(element.querySelectorAll('[role=columnheader]')[1] as Element, 'ArrowRight', { altKey: true });
    const again = await shown(5, host);
    expect(again.state.widths.value['name']).toBeGreaterThan(0);
    expect(found(again.element, '.sheet').style.getPropertyValue('--tracks')).toContain(
      `${String(again.state.widths.value['name'])}px`,
    );
  });

  test('opens the selected row by Enter and double click', async () => {
    const { rows, onOpen } = await shown(5);
    await click(rows()[1] as Element);
    await press(rows()[1] as Element, 'Enter');
    expect(onOpen).toHaveBeenLastCalledWith(3);
    await act(() => void rows()[2]?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true })));
    expect(onOpen).toHaveBeenLastCalledWith(2);
  });

  test('copies a row by Ctrl+C', async () => {
    const { rows, host } = await shown(5);
    await press(rows()[0] as Element, 'c', { ctrlKey: true });
    expect(host.sent.at(-1)).toEqual({ type: 'copy', text: 'Number\tName\n4\trow 4\n' });
  });

  test("copies the row that has the focus by the editor's own Copy, and no row when another element has it", async () => {
    const { rows, host } = await shown(5);
    await click(rows()[1] as Element);
    const copied = copyEvent();
    expect(copied.defaultPrevented).toBe(true);
    expect(host.sent.at(-1)).toEqual({ type: 'copy', text: 'Number\tName\n3\trow 3\n' });
    const sent = host.sent.length;
    rows()[1]?.blur();
    expect(copyEvent().defaultPrevented).toBe(false);
    expect(host.sent).toHaveLength(sent);
  });

  test('keeps selection, scroll and order when its rows are fetched anew', async () => {
    const { element, selected, rows, show } = await shown(1000);
    await press(rows()[0] as Element, 'End');
    const { scrollTop } = found(element, '[role=grid]');
    await show([...numbers(1000)], '');
    expect(selected()).toBe('0row 0');
    expect(found(element, '[role=grid]').scrollTop).toBe(scrollTop);
  });

  test('is as it was left after a reload', async () => {
    const { rows, element, host } = await shown(1000);
    await press(rows()[0] as Element, 'End');
    await act(() => void found(element, '[role=grid]').dispatchEvent(new Event('scroll')));
    const again = await shown(1000, host);
    expect(again.selected()).toBe('0row 0');
    expect(found(again.element, '[role=grid]').scrollTop).toBeGreaterThan(20_000);
  });

  test('says when a search leaves nothing', async () => {
    const { element, rows } = await shown(5, new FakeHost(), 'absent');
    expect(rows()).toHaveLength(0);
    expect(element.textContent).toContain('No row has');
  });
});

describe('the context menu', () => {
  test('opens at the row by keyboard, copies the table, and gives the focus back', async () => {
    const { element, rows, host } = await shown(2);
    await press(rows()[0] as Element, 'ArrowDown');
    await press(found(element, '[aria-selected=true]'), 'F10', { shiftKey: true });
    const items = [...element.querySelectorAll('[role=menuitem]')];
    expect(document.activeElement).toBe(items[0]);
    await press(items[0] as Element, 'End');
    expect(document.activeElement?.textContent).toBe('Copy Table as CSV');
    await click(document.activeElement as Element);
    expect(host.sent.at(-1)).toEqual({ type: 'copy', text: 'Number,Name\n1,row 1\n0,row 0\n' });
    expect(element.querySelector('[role=menu]')).toBeNull();
    expect(document.activeElement?.getAttribute('aria-selected')).toBe('true');
  });

  test('closes by Escape', async () => {
    const { element, rows } = await shown(2);
    await press(rows()[0] as Element, 'ContextMenu');
    await press(found(element, '[role=menu]'), 'Escape');
    expect(element.querySelector('[role=menu]')).toBeNull();
  });
});
