import { descendants, eventually, type Process } from './driver/processes.js';
import type { Server } from './driver/server.js';

/** The daemon's process below an editor's server, once it runs; another one than `other` where that is given. */
export async function daemonOf(server: Server, other?: number): Promise<number> {
  const found = await eventually('process of the daemon', () =>
    descendants(server.pid).find((each) => isDaemon(each) && each.pid !== other),
  );
  return found.pid;
}

/** The processes of captures below an editor's server. */
export function capturesOf(server: Server): Process[] {
  return descendants(server.pid).filter((each) => / -m scopelight\.cli\.main run /.test(each.command));
}

function isDaemon(process: Process): boolean {
  return / -m scopelight\.cli\.main server\b/.test(process.command);
}
