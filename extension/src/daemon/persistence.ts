import type { Requests } from '../protocol';
import { DaemonStoppedError } from './connection';
import type { DaemonConnection, RequestOptions } from './connection';

/** A request that brings the daemon down each time is not asked for ever. */
const MOST_ATTEMPTS = 3;

/** How long the end of a process may stay unknown after its connection was closed. */
const UNKNOWN_END_MS = 1000;

/** Asks the daemon, and once it was started again asks anew where it stopped before it had answered. */
export async function requestThroughRestarts<Method extends keyof Requests>(
  daemon: DaemonConnection,
  method: Method,
  params: Requests[Method]['params'],
  options: RequestOptions = {},
): Promise<Requests[Method]['result']> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await daemon.request(method, params, options);
    } catch (error) {
      const isLost = error instanceof DaemonStoppedError && options.token?.isCancellationRequested !== true;
      if (!isLost || attempt === MOST_ATTEMPTS) {
        throw error;
      }
      await endKnown(daemon);
    }
  }
}

/** Waits until the end of the process is known: until then a request would go to the connection that was closed. */
async function endKnown(daemon: DaemonConnection): Promise<void> {
  if (daemon.state !== 'running') {
    return;
  }
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(done, UNKNOWN_END_MS);
    const listening = daemon.onDidChangeState(done);
  });
}
