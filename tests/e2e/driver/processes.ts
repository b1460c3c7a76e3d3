import { execFileSync } from 'node:child_process';

/** A running process. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** The processes below `ancestor`, at any depth. */
export function descendants(ancestor: number): Process[] {
  const listing = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1 << 24 });
  const all = listing.split('\n').flatMap((line): Process[] => {
    const found = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    return found ? [{ pid: Number(found[1]), parent: Number(found[2]), command: found[3] ?? '' }] : [];
  });
  const below = new Set([ancestor]);
  const result: Process[] = [];
  // A child may be listed before its parent, so look until nothing new is found.
  for (let grown = true; grown;) {
    grown = false;
    for (const each of all) {
      if (below.has(each.parent) && !below.has(each.pid)) {
        below.add(each.pid);
        result.push(each);
        grown = true;
      }
    }
  }
  return result;
}

/** How long what comes by itself may take: a busy machine is ten times as slow as one that is idle. */
export const LONGEST_MS = 60_000;

/** The value that `attempt` gives once it gives one; asks again until `milliseconds` have passed. */
export async function eventually<Value>(
  what: string,
  attempt: () => Promise<Value | undefined> | Value | undefined,
  milliseconds = LONGEST_MS,
): Promise<Value> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await attempt();
    if (value !== undefined && value !== false) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`Within ${milliseconds / 1000} s there was no ${what}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
