// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { walkByKey } from '../../../../extension/webview/shared/controls/walkKeys';

const ROWS = ['first', 'second', 'third'];

function pressed(key: string, chosen: string | null, more: KeyboardEventInit = {}, rows = ROWS) {
  const event = new KeyboardEvent('keydown', { key, cancelable: true, ...more });
  const onWalk = vi.fn<(row: string) => void>();
  const onOpen = vi.fn<(row: string) => void>();
  const own: string[] = [];
  const onKey = (each: string) => each === '+' && own.push(each) > 0;
  walkByKey(event, { rows, chosen, onWalk, onOpen, onKey });
  return { walked: onWalk.mock.calls[0]?.[0], opened: onOpen.mock.calls[0]?.[0], own, taken: event.defaultPrevented };
}

describe('rows that are drawn as a picture', () => {
  test.each([
    ['ArrowRight', null, 'first'],
    ['ArrowLeft', null, 'first'],
    ['ArrowDown', 'first', 'second'],
    ['ArrowRight', 'third', 'third'],
    ['ArrowUp', 'second', 'first'],
    ['ArrowLeft', 'first', 'first'],
    ['Home', 'third', 'first'],
    ['End', null, 'third'],
    // What was chosen may be filtered out.
    ['ArrowRight', 'elsewhere', 'first'],
  ])('are walked: %s from %s leads to %s', (key, chosen, walked) => {
    expect(pressed(key, chosen)).toMatchObject({ walked, opened: undefined, taken: true });
  });

  test('open what is chosen by Enter, and nothing without it', () => {
    expect(pressed('Enter', 'second')).toMatchObject({ opened: 'second', walked: undefined, taken: true });
    expect(pressed('Enter', null)).toMatchObject({ opened: undefined, taken: true });
  });

  test('may have keys of their own, and leave the others to the page', () => {
    expect(pressed('+', 'first')).toMatchObject({ own: ['+'], taken: true });
    expect(pressed('Tab', 'first')).toMatchObject({ own: [], walked: undefined, taken: false });
    expect(pressed('ArrowRight', 'first', { ctrlKey: true })).toMatchObject({ walked: undefined, taken: false });
  });

  test('may be none', () => {
    expect(pressed('ArrowRight', null, {}, [])).toMatchObject({ walked: undefined, taken: true });
  });
});
