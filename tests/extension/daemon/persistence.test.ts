import { describe, expect, test } from 'vitest';
import { EventEmitter } from 'vscode';
import { DaemonStoppedError } from '../../../extension/src/daemon/connection';
import type { DaemonConnection, DaemonState } from '../../../extension/src/daemon/connection';
import { requestThroughRestarts } from '../../../extension/src/daemon/persistence';

/** A daemon whose connection is closed; its end becomes known, and another one runs, only a turn later. */
class DyingDaemon {
  state: DaemonState = 'running';
  asked = 0;
  private isDead = true;
  private readonly changed = new EventEmitter<DaemonState>();
  readonly onDidChangeState = this.changed.event;

  request(): Promise<object> {
    if (++this.asked === 1) {
      setImmediate(() => {
        this.isDead = false;
        this.state = 'restarting';
        this.changed.fire(this.state);
      });
    }
    return this.isDead ? Promise.reject(new DaemonStoppedError('It stopped.')) : Promise.resolve({ runs: [] });
  }
}

describe('a request', () => {
  test('is asked anew of the next daemon, and not of the connection that was closed', async () => {
    const daemon = new DyingDaemon();
    const answer = await requestThroughRestarts(daemon as unknown as DaemonConnection, 'scopelight/runs', {});
    expect(answer).toEqual({ runs: [] });
    expect(daemon.asked).toBe(2);
  });
});
