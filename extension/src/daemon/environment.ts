import * as vscode from 'vscode';
import type { Interpreter } from '../interpreter/interpreter';
import { executablesOnPath } from '../interpreter/onPath';
import type { EnvironmentKind } from '../settings';
import { PYTHON_NAMES } from './basePython';
import type { BundledWheels } from './bundledWheels';
import type { Installation } from './pip';
import { checkInstalled, installWheel } from './pip';
import { OwnEnvironment } from './ownEnvironment';
import type { ProcessRunner } from './process';
import { probe, unsuitable } from './probe';

/** A Python that the daemon can be started with. */
export interface Ready {
  readonly state: 'ready';
  readonly kind: EnvironmentKind;
  readonly python: string;
}

/** Why there is none. */
export interface Missing {
  readonly state: 'missing';
  readonly kind: EnvironmentKind;
  /** What is missing, for the user. */
  readonly sentence: string;
  /** Whether installing into this kind of environment can help. */
  readonly canInstall: boolean;
  /** Whether the user has agreed to an installation of the kind before, so that it need not be asked again. */
  readonly agreed: boolean;
}

/** What decides where the daemon's Python is, read when it is needed. */
export interface EnvironmentChoice {
  readonly storage: string;
  readonly bundled: BundledWheels;
  readonly run: ProcessRunner;
  kind(): EnvironmentKind;
  isTrusted(): boolean;
  /** The interpreter of the user's scripts; asked for in a trusted workspace only. */
  interpreter(): Promise<Interpreter | undefined>;
}

/** Where the daemon's Python is, and how it gets there. */
export class DaemonEnvironment {
  private readonly own: OwnEnvironment;

  constructor(private readonly choice: EnvironmentChoice) {
    this.own = new OwnEnvironment(choice.storage, choice.bundled);
  }

  /** The kind in force: what an untrusted workspace names is never started. */
  get kind(): EnvironmentKind {
    return this.choice.isTrusted() ? this.choice.kind() : 'own';
  }

  /** Rejects with `InterpreterSettingError` where the user's setting names no interpreter. */
  async locate(): Promise<Ready | Missing> {
    return this.kind === 'own' ? this.locateOwn() : this.locateInInterpreter();
  }

  /**
   * Installs the daemon into the environment of that kind; `force` has it done anew where it is there already.
   * Rejects with `InstallError`, and with `CancellationError` when cancelled.
   */
  async install(kind: EnvironmentKind, installation: Installation, force: boolean): Promise<void> {
    if (kind === 'own') {
      await this.own.install(installation, await this.basePythons(), force);
      return;
    }
    const interpreter = await this.choice.interpreter();
    if (interpreter === undefined) throw noInterpreter();
    await installWheel(installation, interpreter.path, this.choice.bundled, true);
    await checkInstalled(installation, interpreter.path, this.choice.bundled);
  }

  private async locateOwn(): Promise<Ready | Missing> {
    if (await this.own.isReady()) return { state: 'ready', kind: 'own', python: this.own.python };
    return {
      state: 'missing',
      kind: 'own',
      sentence: vscode.l10n.t(
        'Scopelight needs its daemon, which reads the profiles, in a Python environment of its own.',
      ),
      canInstall: true,
      agreed: await this.own.wasInstalled(),
    };
  }

  private async locateInInterpreter(): Promise<Ready | Missing> {
    const interpreter = await this.choice.interpreter();
    if (interpreter === undefined) {
      const { message: sentence } = noInterpreter();
      return { state: 'missing', kind: 'interpreter', sentence, canInstall: false, agreed: false };
    }
    const found = await probe(interpreter.path, this.choice.run);
    const reason = unsuitable(interpreter.path, found, this.choice.bundled.version);
    if (reason === undefined) return { state: 'ready', kind: 'interpreter', python: interpreter.path };
    return { state: 'missing', kind: 'interpreter', ...reason, agreed: false };
  }

  /** What an environment of our own may be made with: what an untrusted workspace names is never started. */
  private async basePythons(): Promise<string[]> {
    const onPath = await executablesOnPath(PYTHON_NAMES);
    if (!this.choice.isTrusted()) return onPath;
    const interpreter = await this.choice.interpreter().catch(() => undefined);
    return [...new Set([...(interpreter ? [interpreter.path] : []), ...onPath])];
  }
}

function noInterpreter(): Error {
  return new Error(
    vscode.l10n.t('No Python was found: install one, or name it in the setting scopelight.interpreter.'),
  );
}
