import * as vscode from 'vscode';
import { chooseEnvironmentKind } from '../settings';
import type { EnvironmentKind } from '../settings';
import { sentenceOf, traceOf } from '../log';
import { withNotification } from '../userMessages';
import type { DaemonEnvironment, Missing } from './environment';
import type { ProcessRunner } from './process';

/** What the wheels of the daemon's libraries weigh on Linux, rounded: nearly all of it is numba's compiler. */
const DOWNLOAD_MEGABYTES = 80;

/** Offers to install the daemon, and installs it where the user says so. */
export class InstallOffer {
  /** Of several offers that are on screen only the last counts: the same message shown again replaces the first. */
  private shown = 0;
  private pending: { readonly answer: Promise<boolean>; settle(answer: Promise<boolean>): void } | undefined;
  private installing: Promise<boolean> | undefined;

  constructor(
    private readonly environment: DaemonEnvironment,
    private readonly run: ProcessRunner,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Whether the daemon was installed, or another environment was chosen that may have it; false: declined. */
  async make(missing: Missing): Promise<boolean> {
    if (this.installing !== undefined) return this.installing;
    if (missing.canInstall && missing.agreed) return this.install(missing.kind, false);
    const turn = ++this.shown;
    const pending = (this.pending ??= unanswered());
    void this.ask(missing).then((press) => {
      if (turn !== this.shown) return;
      this.pending = undefined;
      pending.settle(press?.() ?? Promise.resolve(false));
    });
    return pending.answer;
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
        const chosen = await vscode.window.showErrorMessage(sentenceOf(error), retry, showLog);
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

  /** What is to be done by the button that is chosen; that resolves with whether there may be a daemon now. */
  private async ask(missing: Missing): Promise<Answer['press'] | undefined> {
    const install = { label: vscode.l10n.t('Install'), press: () => this.install(missing.kind, false) };
    const buttons: readonly Answer[] = [
      ...(missing.canInstall ? [install] : []),
      // An untrusted workspace names no interpreter.
      ...(vscode.workspace.isTrusted ? [other(missing.kind)] : []),
    ];
    const weight = vscode.l10n.t('To install it downloads about {0} MB from PyPI.', DOWNLOAD_MEGABYTES);
    const text = missing.canInstall ? `${missing.sentence} ${weight}` : missing.sentence;
    const chosen = await vscode.window.showInformationMessage(text, ...buttons.map(({ label }) => label));
    return buttons.find(({ label }) => label === chosen)?.press;
  }
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

function unanswered(): { answer: Promise<boolean>; settle(answer: Promise<boolean>): void } {
  let settle: (answer: Promise<boolean>) => void = () => undefined;
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { answer, settle };
}
