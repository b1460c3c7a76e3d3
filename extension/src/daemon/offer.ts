import * as vscode from 'vscode';
import { chooseEnvironmentKind } from '../settings';
import type { EnvironmentKind } from '../settings';
import { sentenceOf, traceOf } from '../log';
import type { DaemonEnvironment, Missing } from './environment';
import type { ProcessRunner } from './process';

/** What the wheels of the daemon's libraries weigh on Linux, rounded: nearly all of it is numba's compiler. */
const DOWNLOAD_MEGABYTES = 80;

/** Offers to install the daemon, and installs it where the user says so. */
export class InstallOffer {
  /** Of several offers that are on screen only the last counts: the same message shown again replaces the first. */
  private shown = 0;
  private answering: Promise<boolean> | undefined;
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
    const answer = this.ask(missing, turn);
    const answering = answer.then((agreed) =>
      // Replaced by a later offer: that one's answer is this one's.
      turn === this.shown ? agreed : (this.answering ?? false),
    );
    this.answering = answering;
    return answering;
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
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t("Installing Scopelight's daemon"),
        cancellable: true,
      },
      (progress, token) =>
        this.environment.install(
          kind,
          { run: this.run, log: this.log, token, report: (message) => progress.report({ message }) },
          force,
        ),
    );
  }

  private async ask(missing: Missing, turn: number): Promise<boolean> {
    const install = vscode.l10n.t('Install');
    const useInterpreter = vscode.l10n.t('Use My Interpreter');
    const useOwn = vscode.l10n.t('Use Own Environment');
    const weight = vscode.l10n.t('To install it downloads about {0} MB from PyPI.', DOWNLOAD_MEGABYTES);
    const other = missing.kind === 'interpreter' ? useOwn : useInterpreter;
    const buttons = [
      ...(missing.canInstall ? [install] : []),
      // An untrusted workspace names no interpreter.
      ...(vscode.workspace.isTrusted ? [other] : []),
    ];
    const text = missing.canInstall ? `${missing.sentence} ${weight}` : missing.sentence;
    const chosen = await vscode.window.showInformationMessage(text, ...buttons);
    if (turn !== this.shown) return false;
    if (chosen === install) return this.install(missing.kind, false);
    if (chosen === undefined) return false;
    await chooseEnvironmentKind(chosen === useOwn ? 'own' : 'interpreter');
    return true;
  }
}
