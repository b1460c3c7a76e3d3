import * as vscode from 'vscode';
import { chooseEnvironmentKind } from '../settings';
import type { EnvironmentKind } from '../settings';
import { sentenceOf, traceOf } from '../log';
import { withNotification } from '../userMessages';
import type { DaemonEnvironment, Missing } from './environment';
import type { ProcessRunner } from './process';

/** What the wheels of the daemon's libraries weigh on Linux, rounded: most of it is numba's compiler. */
const DOWNLOAD_MEGABYTES = 80;
/** What the environment takes on the disk once it is there, with the kernels that are compiled meanwhile. */
const DISK_MEGABYTES = 340;

/** Offers to install the daemon, and installs it where the user says so. */
export class InstallOffer {
  /** What a person has asked for and that waits for the answer, or for the installation: nothing else is to wait too. */
  private waiting: object | undefined;
  private installing: Promise<boolean> | undefined;
  /** Ends the wait for what is to be done after a failure; undefined while none is told. */
  private giveUp: (() => void) | undefined;

  constructor(
    private readonly environment: DaemonEnvironment,
    private readonly run: ProcessRunner,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /**
   * For what a person asks for. Resolves with whether the daemon was installed, or another environment was chosen that
   * may have it; false: declined. Rejects with `CancellationError` where something that was asked for waits already.
   */
  async make(missing: Missing): Promise<boolean> {
    // A failure that was left unanswered holds nothing up.
    if (this.giveUp !== undefined) {
      this.waiting = undefined;
      this.giveUp();
      await this.installing;
    }
    if (this.waiting !== undefined) {
      this.tellAwaited();
      throw new vscode.CancellationError();
    }
    const own = (this.waiting = {});
    try {
      return await (this.installing ?? (isAgreed(missing) ? this.install(missing.kind, false) : this.ask(missing)));
    } finally {
      if (this.waiting === own) this.waiting = undefined;
    }
  }

  /** For what nobody has just asked for: as `make`, but nothing is asked. */
  async makeQuietly(missing: Missing): Promise<boolean> {
    if (this.giveUp !== undefined) return false;
    return this.installing ?? (isAgreed(missing) && this.install(missing.kind, false));
  }

  /** Installs with progress, and again as often as the user wants to after a failure; false where it was given up. */
  async install(kind: EnvironmentKind, force: boolean): Promise<boolean> {
    this.installing ??= this.installUntilGivenUp(kind, force).finally(() => {
      this.installing = undefined;
    });
    return this.installing;
  }

  private async installUntilGivenUp(kind: EnvironmentKind, force: boolean): Promise<boolean> {
    const retry = vscode.l10n.t('Retry');
    const showLog = vscode.l10n.t('Show Log');
    for (;;) {
      try {
        await this.installOnce(kind, force);
        return true;
      } catch (error) {
        if (error instanceof vscode.CancellationError) {
          this.log.info('The installation of the daemon was cancelled.');
          return false;
        }
        this.log.error(traceOf(error));
        const chosen = await Promise.race([
          vscode.window.showErrorMessage(sentenceOf(error), retry, showLog),
          new Promise<undefined>((resolve) => (this.giveUp = () => resolve(undefined))),
        ]);
        this.giveUp = undefined;
        if (chosen === showLog) this.log.show();
        if (chosen !== retry) return false;
      }
    }
  }

  private async installOnce(kind: EnvironmentKind, force: boolean): Promise<void> {
    await withNotification(vscode.l10n.t("Installing Scopelight's daemon"), (onProgress, token) => {
      const report = (message: string): void => onProgress({ message });
      return this.environment.install(kind, { run: this.run, log: this.log, token, report }, force);
    });
  }

  /** Asks before anything else is asked or done: to close the question ends what needed the daemon. */
  private async ask(missing: Missing): Promise<boolean> {
    const install = { label: vscode.l10n.t('Install'), press: () => this.install(missing.kind, false) };
    const buttons: readonly Answer[] = [
      ...(missing.canInstall ? [install] : []),
      // An untrusted workspace names no interpreter.
      ...(vscode.workspace.isTrusted ? [other(missing.kind)] : []),
    ];
    const options = { modal: true, detail: missing.canInstall ? whatOneGets(missing.kind) : '' };
    const labels = buttons.map(({ label }) => label);
    const chosen = await vscode.window.showInformationMessage(missing.sentence, options, ...labels);
    return (await buttons.find(({ label }) => label === chosen)?.press()) ?? false;
  }

  private tellAwaited(): void {
    // While it is still asked, the question itself stands in front.
    if (this.installing === undefined) return;
    void vscode.window.showInformationMessage(
      vscode.l10n.t("Scopelight's daemon is being installed: what was started first goes on when that is done."),
    );
  }
}

/** What is installed, where, how large it is and how long it takes. */
function whatOneGets(kind: EnvironmentKind): string {
  const gets = vscode.l10n.t(
    'The daemon runs your script under the profiler and reads what was recorded: times appear beside your lines.',
  );
  const takes = vscode.l10n.t(
    'Installing downloads about {0} MB from PyPI, takes about {1} MB on the disk, and about half a minute on a usual line.',
    DOWNLOAD_MEGABYTES,
    DISK_MEGABYTES,
  );
  const touches =
    kind === 'own'
      ? vscode.l10n.t('It goes into a folder of the extension: nothing in your own environments changes.')
      : vscode.l10n.t('It goes into the environment of your interpreter, with the libraries that it needs.');
  return [gets, takes, touches].join('\n\n');
}

/** Whether the user has agreed to having it installed before, so that it need not be asked again. */
function isAgreed({ canInstall, agreed }: Missing): boolean {
  return canInstall && agreed;
}

/** What can be answered to the offer: to install, or to have the daemon in an environment of the other kind. */
interface Answer {
  readonly label: string;
  readonly press: () => Promise<boolean>;
}

function other(kind: EnvironmentKind): Answer {
  return kind === 'interpreter'
    ? { label: vscode.l10n.t('Use Own Environment'), press: () => chooseEnvironmentKind('own').then(() => true) }
    : {
        label: vscode.l10n.t('Use My Interpreter'),
        press: () => chooseEnvironmentKind('interpreter').then(() => true),
      };
}
