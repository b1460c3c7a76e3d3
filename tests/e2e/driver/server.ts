import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { eventually } from './processes.js';
import { quietSettings } from './settings.js';

/** Where VS Code's server and the browser are: what install_vscode.sh wrote. */
export interface Installation {
  readonly node: string;
  readonly entry: string;
  readonly chrome: string;
}

export interface ServerOptions {
  readonly installation: Installation;
  /** Everything that the server writes goes below it: user data, logs, state. */
  readonly dataFolder: string;
  readonly extensionsFolder: string;
  /** Settings of this machine, on top of the user's quiet ones: what names programs is taken from these only. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the editor asks whether a workspace is trusted. */
  readonly asksForTrust?: boolean;
}

/** A running VS Code server. */
export interface Server {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly logFile: string;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** The environment of this process without what would reach into the editor under test. */
function cleanEnvironment(dataFolder: string): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(VSCODE_|CODE_SERVER_|ELECTRON_|VITEST|NODE_OPTIONS$|NODE_ENV$|PORT$)/i.test(name)) {
      clean[name] = value;
    }
  }
  for (const name of ['CONFIG_HOME', 'DATA_HOME', 'STATE_HOME', 'RUNTIME_DIR']) {
    const folder = path.join(dataFolder, 'xdg', name.toLowerCase());
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    clean[`XDG_${name}`] = folder;
  }
  return clean;
}

function writeSettings(folder: string, settings: Readonly<Record<string, unknown>>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
}

/** The arguments that every start of the server has in common. */
export function commonArguments(installation: Installation, dataFolder: string, extensionsFolder: string): string[] {
  return [
    installation.entry,
    '--accept-server-license-terms',
    ...['--server-data-dir', dataFolder, '--user-data-dir', dataFolder, '--extensions-dir', extensionsFolder],
  ];
}

/** Starts VS Code's server on a free port; resolves when it answers. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { installation, dataFolder, extensionsFolder } = options;
  writeSettings(path.join(dataFolder, 'User'), quietSettings);
  writeSettings(path.join(dataFolder, 'Machine'), options.settings ?? {});
  const port = await freePort();
  const logFile = path.join(dataFolder, 'server.log');
  const log = openSync(logFile, 'w');
  const child = spawn(
    installation.node,
    [
      ...commonArguments(installation, dataFolder, extensionsFolder),
      ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--telemetry-level', 'off'],
      ...(options.asksForTrust === true ? [] : ['--disable-workspace-trust']),
    ],
    {
      env: { ...cleanEnvironment(dataFolder), JAX_PLATFORMS: 'cpu', ...options.environment },
      stdio: ['ignore', log, log],
      // A process group of its own, so that the extension host, the daemon and captures end with it.
      detached: true,
    },
  );
  closeSync(log);
  const pid = child.pid;
  if (pid === undefined) {
    throw new Error(`${installation.node} could not be started.`);
  }
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-pid, name);
    } catch {
      // The group has ended.
    }
  };
  const stop = async () => {
    signal('SIGTERM');
    const stubborn = setTimeout(() => signal('SIGKILL'), 5_000);
    await ended;
    clearTimeout(stubborn);
    signal('SIGKILL');
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await eventually('answer of the VS Code server', async () => {
      if (child.exitCode !== null) {
        throw new Error(`The VS Code server ended:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
      }
      return fetch(`${url}/version`).then(
        (response) => response.ok || undefined,
        () => undefined,
      );
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, port, pid, logFile, stop };
}
