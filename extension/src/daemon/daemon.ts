import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { cancellationOf } from '../cancellation';
import { UserError } from '../failure';
import { sentenceOf, traceOf } from '../log';
import { commandButton, logButton, offer } from '../userMessages';
import { notificationNames, type Notifications, type Requests } from '../protocol';
import { daemonSettings } from '../settings';
import type { DaemonClient, MakeClient } from './client';
import { RefusedError } from './client';
import type { DaemonConnection, DaemonState, RequestOptions } from './connection';
import { DaemonError } from './connection';
import type { DaemonEnvironment, Missing } from './environment';
import type { InstallOffer } from './offer';
import { RestartPolicy } from './restartPolicy';

/** No environment holds the daemon. */
class MissingError extends DaemonError {
  constructor(readonly missing: Missing) {
    super(`${missing.sentence} ${vscode.l10n.t('Run "Scopelight: Install Daemon".')}`);
  }
}

/** Requests that stand for something a person has just asked for, unless they are quiet: only these bring up the offer to install. */
const ASKED_BY_A_PERSON: ReadonlySet<keyof Requests> = new Set<keyof Requests>([
  'scopelight/openRun',
  'scopelight/copyAsMarkdown',
  'scopelight/pinRun',
  'scopelight/compareTargets',
  'scopelight/writeReport',
]);

/** Settings and interpreters change in bursts: one restart answers them all. */
const RESTART_DELAY_MS = 300;

/** The daemon's life: started when something needs it, again after a crash, stopped with the extension. */
export class Daemon implements DaemonConnection, vscode.Disposable {
  private current: DaemonState = 'stopped';
  private client: DaemonClient | undefined;
  private starting: Promise<DaemonClient> | undefined;
  /** Why it is left stopped until a person starts it again. */
  private left: DaemonError | undefined;
  /** The user said no: from then on only what a person asks for offers to install. */
  private isDeclined = false;
  private isDisposed = false;
  private restartTimer: NodeJS.Timeout | undefined;
  private readonly stateChanged = new vscode.EventEmitter<DaemonState>();
  private readonly notified = new vscode.EventEmitter<{ readonly name: string; readonly params: unknown }>();

  readonly onDidChangeState = this.stateChanged.event;

  constructor(
    private readonly environment: DaemonEnvironment,
    private readonly offer: InstallOffer,
    private readonly makeClient: MakeClient,
    private readonly log: vscode.LogOutputChannel,
    private readonly policy = new RestartPolicy(),
  ) {}

  get state(): DaemonState {
    return this.current;
  }

  async request<Method extends keyof Requests>(
    method: Method,
    params: Requests[Method]['params'],
    options: RequestOptions = {},
  ): Promise<Requests[Method]['result']> {
    const { token, onProgress, isQuiet = false } = options;
    const ready = this.ready(ASKED_BY_A_PERSON.has(method) && !isQuiet);
    // What was started goes on for others.
    const client = await (token === undefined ? ready : Promise.race([ready, cancellationOf(token)]));
    if (onProgress === undefined) return (await client.request(method, params, token)) as Requests[Method]['result'];

    const workDoneToken = randomUUID();
    const listening = client.onProgress(workDoneToken, onProgress);
    try {
      return (await client.request(method, { ...params, workDoneToken }, token)) as Requests[Method]['result'];
    } finally {
      listening.dispose();
    }
  }

  onNotification<Name extends keyof Notifications>(
    name: Name,
    handler: (params: Notifications[Name]) => void,
  ): vscode.Disposable {
    return this.notified.event((each) => {
      if (each.name === name) handler(each.params as Notifications[Name]);
    });
  }

  async python(): Promise<string> {
    for (;;) {
      const located = await this.locate();
      if (located.state === 'ready') return located.python;
      this.setState('missing');
      await this.install(located, true);
    }
  }

  async beInstalled(): Promise<void> {
    if (this.client === undefined) await this.python();
    // It loads while the person answers what is asked next.
    this.startQuietly();
  }

  /** Starts it where it is installed, for what a person will probably need; says nothing where it is not. */
  startQuietly(): void {
    this.ready(false).catch((error: unknown) => this.log.debug(traceOf(error)));
  }

  /** Starts it again, or for the first time; rejects as `request` does. */
  async restart(): Promise<void> {
    this.policy.reset();
    await this.replace();
  }

  /** Starts it again soon, once for many calls; does nothing where it was never needed. */
  restartSoon(): void {
    clearTimeout(this.restartTimer);
    this.restartTimer = setTimeout(() => {
      if (this.current === 'stopped' && this.left === undefined) return;
      this.replace().catch((error: unknown) => this.log.debug(traceOf(error)));
    }, RESTART_DELAY_MS);
  }

  /** Installs the daemon that comes with the extension, also where there is one, and starts it. */
  async reinstall(): Promise<void> {
    await this.halt();
    this.setState('stopped');
    if (!(await this.offer.install(this.environment.kind, true))) return;
    this.isDeclined = false;
    await this.restart();
  }

  /** Sends the settings to a daemon that runs; one that is started later gets them then. */
  sendSettings(): void {
    this.client?.sendSettings(daemonSettings());
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.restartTimer);
    void this.client?.stop();
    this.client = undefined;
    this.stateChanged.dispose();
    this.notified.dispose();
  }

  private setState(state: DaemonState): void {
    if (state === this.current || this.isDisposed) return;
    this.current = state;
    this.log.debug(`The daemon is ${state}.`);
    this.stateChanged.fire(state);
  }

  /** The process that answers, started where there is none. */
  private async ready(isAsked: boolean): Promise<DaemonClient> {
    for (;;) {
      if (this.left !== undefined) throw this.left;
      if (this.client !== undefined) return this.client;
      try {
        return await this.startOnce(() => this.start('starting'));
      } catch (error) {
        if (!(error instanceof MissingError)) throw error;
        const isAgreed = error.missing.canInstall && error.missing.agreed && !this.isDeclined;
        if (!isAsked && !isAgreed) throw error;
        await this.install(error.missing, isAsked);
      }
    }
  }

  private startOnce(start: () => Promise<DaemonClient>): Promise<DaemonClient> {
    return this.starting ?? this.startNow(start());
  }

  /** Makes `start` what requests wait for, in place of a start before it. */
  private startNow(start: Promise<DaemonClient>): Promise<DaemonClient> {
    const starting = start.finally(() => {
      if (this.starting === starting) this.starting = undefined;
    });
    this.starting = starting;
    return starting;
  }

  /** Offers to install, where a person asked; rejects with `CancellationError` where that was declined. */
  private async install(missing: Missing, isAsked: boolean): Promise<void> {
    this.isDeclined = !(await (isAsked ? this.offer.make(missing) : this.offer.makeQuietly(missing)));
    if (this.isDeclined) throw new vscode.CancellationError();
  }

  private async start(state: 'starting' | 'restarting'): Promise<DaemonClient> {
    const located = await this.locate();
    if (located.state === 'missing') {
      this.log.info(located.sentence);
      this.setState('missing');
      throw new MissingError(located);
    }
    this.setState(state);
    const client: DaemonClient = await this.makeClient(located.python, daemonSettings(), () => this.ended(client));
    for (const name of notificationNames) {
      client.onNotification(name, (params) => this.notified.fire({ name, params }));
    }
    try {
      await client.start();
    } catch (error) {
      if (error instanceof RefusedError) {
        this.left = error;
        this.setState('refused');
        this.tellRefused(error);
      } else {
        this.setState('stopped');
      }
      throw error;
    }
    if (this.isDisposed) {
      await client.stop();
      throw new vscode.CancellationError();
    }
    this.client = client;
    this.setState('running');
    return client;
  }

  private async locate(): ReturnType<DaemonEnvironment['locate']> {
    try {
      return await this.environment.locate();
    } catch (error) {
      this.setState('stopped');
      throw new DaemonError(sentenceOf(error), error instanceof UserError ? error.remedies : []);
    }
  }

  /** Stops what runs or is being started; resolves with whether there was any. */
  private async halt(): Promise<boolean> {
    const { client, starting } = this;
    this.client = undefined;
    this.left = undefined;
    await starting?.catch(() => undefined);
    const current = client ?? this.client;
    this.client = undefined;
    await current?.stop();
    return current !== undefined;
  }

  private async replace(): Promise<void> {
    if (this.client !== undefined) this.setState('restarting');
    await this.startNow(this.halt().then((hadAny) => this.start(hadAny ? 'restarting' : 'starting')));
  }

  /** The process ended by itself. */
  private ended(client: DaemonClient): void {
    // One that ends before it is taken into use rejects the start instead.
    if (client !== this.client || this.isDisposed) return;
    this.client = undefined;
    void client.stop();
    if (this.policy.crashed() === 'leave') {
      this.left = new DaemonError(
        vscode.l10n.t(
          'Scopelight\'s daemon keeps stopping and is left stopped: the log may say why; "Scopelight: Restart Daemon" starts it again.',
        ),
      );
      this.setState('stopped');
      this.tellLeft(this.left);
      return;
    }
    this.setState('restarting');
    this.startOnce(() => this.start('restarting')).then(
      () => this.tellRestarted(),
      (error: unknown) => {
        if (error instanceof RefusedError || error instanceof vscode.CancellationError) return;
        this.log.error(traceOf(error));
        this.tellLeft(new DaemonError(sentenceOf(error)));
      },
    );
  }

  private tellRestarted(): void {
    const sentence = vscode.l10n.t("Scopelight's daemon stopped and was started again.");
    void offer(vscode.window.showWarningMessage, sentence, [logButton(this.log)]);
  }

  private tellLeft(reason: DaemonError): void {
    const restart = commandButton(vscode.l10n.t('Restart'), 'scopelight.restartDaemon');
    void offer(vscode.window.showErrorMessage, reason.message, [restart, logButton(this.log)]);
  }

  private tellRefused(reason: RefusedError): void {
    const remedy =
      reason.older === 'daemon'
        ? commandButton(vscode.l10n.t('Install Daemon'), 'scopelight.installDaemon')
        : commandButton(vscode.l10n.t('Show Extension'), 'workbench.extensions.search', '@installed scopelight');
    void offer(vscode.window.showErrorMessage, reason.message, [remedy, logButton(this.log)]);
  }
}
