import { beforeEach, expect, test, vi } from 'vitest';
import { Captures } from '../../../extension/src/capture/captures';
import { CancellationError, CancellationTokenSource, fake, resetFake, window } from '../vscode';

const ONE = { key: '/w/a/train.py', title: 'train.py' };
const OTHER = { key: '/w/b/train.py', title: 'train.py' };

/** The notifications that are on the screen. */
let seen: { readonly title: string; readonly message: string }[] = [];

beforeEach(() => {
  resetFake();
  seen = [];
  vi.spyOn(window, 'withProgress').mockImplementation(async (options, task) => {
    let message = '';
    const source = new CancellationTokenSource();
    const working = task({ report: (said) => (message = said.message ?? '') }, source.token);
    const notification = { title: options.title ?? '', message };
    seen.push(notification);
    try {
      return await working;
    } finally {
      seen = seen.filter((each) => each !== notification);
    }
  });
});

function begin(captures: Captures, capture: typeof ONE) {
  let end = (): void => undefined;
  const capturing = captures.during(capture, () => new Promise<void>((resolve) => (end = resolve)));
  return { capturing, end: () => end() };
}

/** Follows the link of a notification, as a click on it does. */
async function follow(message: string): Promise<void> {
  const [, command = '', encoded = ''] = /\(command:([\w.]+)\?([^)]*)\)/u.exec(message) ?? [];
  await fake.commands.get(command)?.(...(JSON.parse(decodeURIComponent(encoded)) as unknown[]));
}

test('a script that is being captured is captured a second time where that is meant', async () => {
  const captures = new Captures();
  await captures.beMeant(ONE);
  begin(captures, ONE);
  const meant = captures.beMeant(ONE);
  expect(seen).toHaveLength(1);
  expect(seen[0]?.title).toBe('train.py is being profiled already');
  expect(seen[0]?.message).toContain('[Start Another]');
  await follow(seen[0]?.message ?? '');
  await meant;
  await vi.waitFor(() => expect(seen).toEqual([]));
});

test('who clicked twice is told as long as the capture is at work, once', async () => {
  const captures = new Captures();
  const first = begin(captures, ONE);
  const second = captures.beMeant(ONE).catch((error: unknown) => error);
  const third = captures.beMeant(ONE).catch((error: unknown) => error);
  expect(await second).toBeInstanceOf(CancellationError);
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  first.end();
  await first.capturing;
  expect(await third).toBeInstanceOf(CancellationError);
  expect(seen, 'what it says would not be true any more').toEqual([]);
  await captures.beMeant(ONE);
});

test('scripts of one name in different folders are not the same', async () => {
  const captures = new Captures();
  const first = begin(captures, ONE);
  await captures.beMeant(OTHER);
  begin(captures, OTHER);
  expect(captures.active).toEqual([ONE, OTHER]);
  first.end();
  await first.capturing;
  await captures.beMeant(ONE);
  expect(seen).toEqual([]);
});
