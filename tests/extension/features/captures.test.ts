import { beforeEach, expect, test, vi } from 'vitest';
import { Captures } from '../../../extension/src/capture/captures';
import { CancellationError, fake, resetFake } from '../vscode';

beforeEach(resetFake);

function begin(captures: Captures, title: string) {
  let end = (): void => undefined;
  const work = vi.fn(() => new Promise<void>((resolve) => (end = resolve)));
  return { work, capturing: captures.during(title, work), end: () => end() };
}

test('a script that is being captured is captured a second time only where that is meant', async () => {
  const captures = new Captures();
  const first = begin(captures, 'train.py');
  begin(captures, 'other.py');
  expect(captures.active).toEqual(['train.py', 'other.py']);
  expect(fake.messages).toEqual([]);

  const second = begin(captures, 'train.py');
  expect(fake.messages[0]).toMatchObject({ buttons: ['Start Another'] });
  fake.messages[0]?.press(undefined);
  await expect(second.capturing).rejects.toBeInstanceOf(CancellationError);
  expect(second.work).not.toHaveBeenCalled();

  const third = begin(captures, 'train.py');
  fake.messages[1]?.press('Start Another');
  await vi.waitFor(() => expect(third.work).toHaveBeenCalled());
  third.end();
  await third.capturing;
  first.end();
  await first.capturing;
  expect(captures.active).toEqual(['other.py']);

  begin(captures, 'train.py');
  expect(fake.messages, 'nothing is asked where none is at work').toHaveLength(2);
});
