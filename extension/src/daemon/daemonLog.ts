// What the daemon writes to its standard error, in the log of the extension.

import type * as vscode from 'vscode';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** A line of the daemon's log: its time, its level, who writes, and what. */
const LINE = /^[\d-]+ [\d:,]+ (DEBUG|INFO|WARNING|ERROR|CRITICAL) /;
const LEVELS: Readonly<Record<string, Level>> = { DEBUG: 'debug', INFO: 'info', WARNING: 'warn' };

/** Writes line by line, each at its level. A line without one belongs to the line before, as those of a traceback do. */
export function daemonLogWriter(log: Pick<vscode.LogOutputChannel, Level>): (line: string) => void {
  let level: Level = 'info';
  return (line) => {
    const [, named] = LINE.exec(line) ?? [];
    if (named !== undefined) {
      level = LEVELS[named] ?? 'error';
    } else if (line.startsWith('Traceback (most recent call last)')) {
      level = 'error';
    }
    log[level](line);
  };
}
