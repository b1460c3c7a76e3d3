import { beforeEach, expect, test } from 'vitest';
import { chooseTpu } from '../../../extension/src/preflight/chooseTpu';
import { Remembered } from '../../../extension/src/remembered';
import { fakeMemento } from '../features/fakeDaemon';
import { resetFake, window } from '../vscode';

beforeEach(() => {
  resetFake();
  window.showQuickPick.mockReset();
  window.showInputBox.mockReset();
});

test('another TPU is one that there is, by one name', async () => {
  const request = (_: string, { name }: { readonly name: string }) =>
    Promise.resolve({ problem: name.startsWith('v') ? null : `${name} is no TPU` });
  window.showQuickPick.mockImplementationOnce((items: unknown[]) => Promise.resolve(items.at(-1)));
  window.showInputBox.mockImplementationOnce(
    async ({ validateInput }: { validateInput: (text: string) => Promise<string | undefined> }) => {
      expect(await validateInput(' ')).toMatch(/name of a TPU/u);
      expect(await validateInput('v5e-8,v6e-8')).toMatch(/Compare TPUs…/u);
      expect(await validateInput('h100')).toBe('h100 is no TPU');
      expect(await validateInput(' v6e-256 ')).toBeUndefined();
      return ' v6e-256 ';
    },
  );
  const remembered = new Remembered(fakeMemento());
  expect(await chooseTpu({ daemon: { request } } as never, remembered, [])).toBe('v6e-256');
  expect(remembered.tpu).toBe('v6e-256');
});
