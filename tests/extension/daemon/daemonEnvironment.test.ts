import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import type { BundledWheels } from '../../../extension/src/daemon/bundledWheels';
import type { EnvironmentChoice } from '../../../extension/src/daemon/environment';
import { DaemonEnvironment } from '../../../extension/src/daemon/environment';
import type { Installation } from '../../../extension/src/daemon/pip';
import type { Ended, ProcessRunner } from '../../../extension/src/daemon/process';
import { PROTOCOL_VERSION } from '../../../extension/src/protocol';
import { CancellationError, CancellationTokenSource, resetFake, silentLog } from '../vscode';

const VERSION = '1.2.3';
let folder: string;
let storage: string;
let bundled: BundledWheels;
let reports: string[];
let cancelling: CancellationTokenSource;

beforeEach(async () => {
  resetFake();
  folder = await mkdtemp(path.join(tmpdir(), 'daemon-environment-'));
  storage = path.join(folder, 'storage');
  bundled = {
    version: VERSION,
    wheels: [path.join(folder, 'a.whl')],
    constraints: path.join(folder, 'constraints.txt'),
  };
  await writeFile(bundled.wheels[0] as string, 'a wheel');
  await writeFile(bundled.constraints, 'numpy==2.4.6\n');
  reports = [];
  cancelling = new CancellationTokenSource();
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const succeeded = (stdout = ''): Ended => ({ code: 0, stdout, stderr: '' });
const failed = (stderr: string): Ended => ({ code: 1, stdout: '', stderr });

/** What stands for the programs that an installation runs; a test replaces what it is about. */
class Machine {
  readonly commands: string[] = [];
  pythons: Record<string, object> = {
    '/usr/bin/python3': { python: [3, 12], has_venv: true, scopelight: VERSION, lacks: null },
  };
  pip: () => Promise<Ended> | Ended = () => succeeded();
  checked = `${VERSION} ${PROTOCOL_VERSION}\n`;

  readonly run: ProcessRunner = async (command, args) => {
    const line = args.includes('-c') ? 'asks' : args.slice(0, 3).join(' ');
    this.commands.push(`${command} ${line}`);
    const code = args[args.indexOf('-c') + 1] ?? '';
    if (args.includes('-c') && code.includes('lacks')) {
      const found = this.pythons[command];
      if (found === undefined) throw new Error(`spawn ${command} ENOENT`);
      return succeeded(JSON.stringify(found));
    }
    if (args.includes('-c')) return succeeded(this.checked);
    if (args.includes('venv')) {
      const made = args.at(-1) ?? '';
      await mkdir(path.join(made, 'bin'), { recursive: true });
      await writeFile(path.join(made, 'bin', 'python'), '');
      await chmod(path.join(made, 'bin', 'python'), 0o755);
      return succeeded();
    }
    return this.pip();
  };
}

function environment(machine: Machine, change: Partial<EnvironmentChoice> = {}): DaemonEnvironment {
  return new DaemonEnvironment({
    storage,
    bundled,
    run: machine.run,
    kind: () => 'own',
    isTrusted: () => true,
    interpreter: () => Promise.resolve({ path: '/usr/bin/python3', origin: 'path' as const }),
    ...change,
  });
}

function installation(machine: Machine): Installation {
  return {
    run: machine.run,
    log: silentLog() as unknown as vscode.LogOutputChannel,
    token: cancelling.token as unknown as vscode.CancellationToken,
    report: (message) => reports.push(message),
  };
}

async function inStorage(): Promise<string[]> {
  try {
    return await readdir(storage);
  } catch {
    return [];
  }
}

/** An environment that an earlier version of the extension had made. */
async function addOlder(): Promise<void> {
  await mkdir(path.join(storage, 'daemon-1.0.0'), { recursive: true });
  await writeFile(path.join(storage, 'daemon-1.0.0', 'made-from'), 'an older wheel');
}

describe('an environment of its own', () => {
  test('is missing at first, and there after it was installed', async () => {
    const machine = new Machine();
    const own = environment(machine);
    expect(await own.locate()).toMatchObject({ state: 'missing', kind: 'own', canInstall: true, agreed: false });

    await own.install('own', installation(machine), false);
    const python = path.join(storage, `daemon-${VERSION}`, 'bin', 'python');
    expect(await own.locate()).toEqual({ state: 'ready', kind: 'own', python });
    expect(machine.commands).toEqual([
      '/usr/bin/python3 asks',
      '/usr/bin/python3 -m venv ' + path.join(storage, `daemon-${VERSION}`),
      `${python} -m pip install`,
      `${python} asks`,
    ]);
    expect(reports).toEqual(['making the environment', 'downloading', 'checking']);
  });

  test('is out of date when the wheel is another one', async () => {
    const machine = new Machine();
    const own = environment(machine);
    await own.install('own', installation(machine), false);
    await writeFile(bundled.wheels[0] as string, 'a wheel built later');
    expect(await own.locate()).toMatchObject({ state: 'missing', agreed: true });
  });

  test('of an older version means that the user has agreed; it is removed once the new one is there', async () => {
    await addOlder();
    const machine = new Machine();
    const own = environment(machine);
    expect(await own.locate()).toMatchObject({ state: 'missing', agreed: true });
    await own.install('own', installation(machine), false);
    expect(await inStorage()).toEqual([`daemon-${VERSION}`]);
  });

  test('that another window has made meanwhile is not made again', async () => {
    const machine = new Machine();
    const own = environment(machine);
    await Promise.all([
      own.install('own', installation(machine), false),
      own.install('own', installation(machine), false),
    ]);
    expect(machine.commands.filter((each) => each.includes('-m venv'))).toHaveLength(1);
    await own.install('own', installation(machine), true);
    expect(
      machine.commands.filter((each) => each.includes('-m venv')),
      'by force',
    ).toHaveLength(2);
  });

  test('is not kept from being made by the lock of a window that is gone', async () => {
    const machine = new Machine();
    await mkdir(storage, { recursive: true });
    // No process has this number: it is above what Linux and macOS give out.
    await writeFile(path.join(storage, `daemon-${VERSION}.lock`), '2147483646');
    await environment(machine).install('own', installation(machine), false);
    expect(await inStorage()).toEqual([`daemon-${VERSION}`]);
  });

  test('waits for the window that holds the lock until it is cancelled', async () => {
    const machine = new Machine();
    await mkdir(storage, { recursive: true });
    const lock = path.join(storage, `daemon-${VERSION}.lock`);
    await writeFile(lock, String(process.pid));
    const installing = environment(machine).install('own', installation(machine), false);
    cancelling.cancel();
    await expect(installing).rejects.toBeInstanceOf(CancellationError);
    expect(machine.commands).toEqual([]);
    expect(await readFile(lock, 'utf8')).toBe(String(process.pid));
  });
});

describe('an installation that fails', () => {
  test.each([
    [
      'without a network',
      'WARNING: Retrying (Retry(total=4)) after connection broken by NewConnectionError: [Errno 111] Connection refused\n' +
        'ERROR: No matching distribution found for numba>=0.61',
      /could not be reached: check the network/,
    ],
    [
      'on a full disk',
      'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device',
      /disk is full/,
    ],
    ['at a proxy', 'SSLError(SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED]"))', /PIP_CERT/],
    [
      'on a machine without wheels',
      'ERROR: No matching distribution found for llvmlite==0.50.0 (from numba)',
      /has no llvmlite==0\.50\.0 for this Python and this machine/,
    ],
    ['for a reason that is not known', 'Segmentation fault', /could not install the daemon: the log says why/],
  ])('%s says so, and leaves nothing', async (_, words, sentence) => {
    await addOlder();
    const machine = new Machine();
    machine.pip = () => failed(words);
    await expect(environment(machine).install('own', installation(machine), false)).rejects.toThrow(sentence);
    expect(await inStorage(), 'the older one stays for another attempt').toEqual(['daemon-1.0.0']);
  });

  test('because it is cancelled leaves nothing', async () => {
    const machine = new Machine();
    machine.pip = () => {
      cancelling.cancel();
      return Promise.reject(new CancellationError());
    };
    await expect(environment(machine).install('own', installation(machine), false)).rejects.toBeInstanceOf(
      CancellationError,
    );
    expect(await inStorage()).toEqual([]);
  });

  test('because what was installed does not start leaves nothing', async () => {
    const machine = new Machine();
    machine.checked = `9.9.9 ${PROTOCOL_VERSION}`;
    await expect(environment(machine).install('own', installation(machine), false)).rejects.toThrow(
      /was installed but does not start/,
    );
    expect(await inStorage()).toEqual([]);
  });

  test('because the storage cannot be written to says so', async () => {
    await writeFile(storage, 'a file where a folder should be');
    await expect(environment(new Machine()).install('own', installation(new Machine()), false)).rejects.toThrow(
      /environment of the daemon could not be made/,
    );
  });
});

describe('the Python that makes the environment', () => {
  const inPath = (machine: Machine) => environment(machine, { isTrusted: () => true });

  test('without venv says which package has it', async () => {
    const machine = new Machine();
    machine.pythons = { '/usr/bin/python3': { python: [3, 11], has_venv: false } };
    await expect(inPath(machine).install('own', installation(machine), false)).rejects.toThrow(
      /Python 3\.11 lacks the module venv.*python3\.11-venv/,
    );
  });

  test('is none that is too old or too new', async () => {
    const machine = new Machine();
    machine.pythons = { '/usr/bin/python3': { python: [3, 10], has_venv: true } };
    await expect(inPath(machine).install('own', installation(machine), false)).rejects.toThrow(
      /No Python from 3\.11 to 3\.14 was found/,
    );
    machine.pythons = { '/usr/bin/python3': { python: [3, 15], has_venv: true } };
    await expect(inPath(machine).install('own', installation(machine), false)).rejects.toThrow(/No Python from/);
  });

  test('is never what an untrusted workspace names', async () => {
    const machine = new Machine();
    let asked = 0;
    const untrusted = environment(machine, {
      isTrusted: () => false,
      kind: () => 'interpreter',
      interpreter: () => {
        asked++;
        return Promise.resolve({ path: '/workspace/evil/python', origin: 'setting' as const });
      },
    });
    expect(await untrusted.locate()).toMatchObject({ kind: 'own' });
    await untrusted.install(untrusted.kind, installation(machine), false).catch(() => undefined);
    expect(asked).toBe(0);
    expect(machine.commands.join('\n')).not.toContain('evil');
  });
});

describe("the user's interpreter", () => {
  const located = (machine: Machine, change: Partial<EnvironmentChoice> = {}) =>
    environment(machine, { kind: () => 'interpreter', ...change }).locate();

  test('is used where it has the daemon of this version', async () => {
    expect(await located(new Machine())).toEqual({ state: 'ready', kind: 'interpreter', python: '/usr/bin/python3' });
  });

  test.each([
    [{ python: [3, 12], scopelight: null, lacks: 'numba' }, /\/usr\/bin\/python3 has no Scopelight/, true],
    [
      { python: [3, 12], scopelight: '1.0.0', lacks: null },
      /has Scopelight 1\.0\.0, and this extension needs 1\.2\.3/,
      true,
    ],
    [{ python: [3, 12], scopelight: VERSION, lacks: 'pygls' }, /without the library pygls/, true],
    [{ python: [3, 9], scopelight: null, lacks: null }, /runs in Python 3\.11 to 3\.14.*is 3\.9/, false],
  ])('%j', async (probed, sentence, canInstall) => {
    const machine = new Machine();
    machine.pythons = { '/usr/bin/python3': probed };
    const missing = await located(machine);
    expect(missing).toMatchObject({ state: 'missing', kind: 'interpreter', canInstall, agreed: false });
    expect(missing).toHaveProperty('sentence', expect.stringMatching(sentence));
  });

  test('that there is none says what to do', async () => {
    expect(await located(new Machine(), { interpreter: () => Promise.resolve(undefined) })).toMatchObject({
      state: 'missing',
      canInstall: false,
      sentence: expect.stringMatching(/No Python was found/) as string,
    });
  });

  test('gets the daemon installed, also over another build of the same version', async () => {
    const machine = new Machine();
    await environment(machine, { kind: () => 'interpreter' }).install('interpreter', installation(machine), true);
    expect(machine.commands).toEqual([
      '/usr/bin/python3 -m pip install',
      '/usr/bin/python3 -m pip install',
      '/usr/bin/python3 asks',
    ]);
    expect(await inStorage()).toEqual([]);
  });

  test('of the system, which takes no packages, says so', async () => {
    const machine = new Machine();
    machine.pip = () => failed('error: externally-managed-environment');
    await expect(
      environment(machine, { kind: () => 'interpreter' }).install('interpreter', installation(machine), false),
    ).rejects.toThrow(/belongs to the system/);
  });
});
