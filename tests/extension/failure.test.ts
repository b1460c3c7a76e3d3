import { beforeEach, expect, test } from 'vitest';
import { DaemonError } from '../../extension/src/daemon/connection';
import { tellFailure } from '../../extension/src/failure';
import { fake, resetFake, silentLog } from './vscode';

beforeEach(resetFake);

test('a sentence about the daemon leads to what mends it, and to the log where nothing is known to', () => {
  const log = silentLog() as never;
  tellFailure(new DaemonError('The setting names no interpreter.', [{ label: 'Open Setting', press: () => 0 }]), {
    log,
  });
  tellFailure(new DaemonError('The daemon does not answer.'), { log });
  expect(fake.messages.map(({ buttons }) => buttons)).toEqual([['Open Setting'], ['Show Log']]);
});
