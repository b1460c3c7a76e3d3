import * as vscode from 'vscode';
import { DaemonError } from '../daemon/connection';
import { registerCommand } from '../failure';
import { Observable } from '../observable';
import type { LogDirectoryRecord } from '../protocol';
import type { Services } from '../services';
import { remoteFolders, setRemoteFolders } from '../settings';
import { isAddress } from './logDirectories';

/** An address in the list, with what lies below it once it was looked into. */
export interface RemoteNode {
  readonly kind: 'remote';
  readonly address: string;
}

/** Why nothing stands below an address. */
export interface ProblemNode {
  readonly kind: 'problem';
  readonly address: string;
  readonly sentence: string;
}

/** Log directories on servers that the user has in the list; a server is asked when its row is opened. */
export class RemoteDirectories extends Observable {
  private readonly listed = new Map<string, Promise<readonly LogDirectoryRecord[]>>();

  constructor(private readonly services: Pick<Services, 'daemon' | 'log'>) {
    super();
    this.parts.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('scopelight.runs.remoteFolders')) {
          this.tellContext();
          this.changed.fire();
        }
      }),
    );
    this.tellContext();
  }

  get nodes(): RemoteNode[] {
    return remoteFolders().map((address) => ({ kind: 'remote', address }));
  }

  /** What lies below an address, or why that is not known. */
  async below({ address }: RemoteNode): Promise<readonly LogDirectoryRecord[] | ProblemNode> {
    const asked =
      this.listed.get(address) ??
      this.services.daemon.request('scopelight/logDirectories', { address }).then((found) => found.log_directories);
    this.listed.set(address, asked);
    try {
      return await asked;
    } catch (error) {
      this.listed.delete(address);
      if (!(error instanceof DaemonError)) {
        throw error;
      }
      return { kind: 'problem', address, sentence: error.message };
    }
  }

  /** Asks servers anew. */
  refresh(): void {
    this.listed.clear();
    this.changed.fire();
  }

  private tellContext(): void {
    void vscode.commands.executeCommand('setContext', 'scopelight.hasRemoteFolders', remoteFolders().length > 0);
  }
}

/** The commands on addresses; `open` opens what is at one. */
export function registerRemoteCommands(
  services: Services,
  directories: RemoteDirectories,
  open: (address: string) => Promise<unknown>,
): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(services, 'scopelight.openAddress', async () => {
      const address = await askAddress(vscode.l10n.t('Open Profile at Address'));
      if (address !== undefined) {
        await services.daemon.beInstalled();
        await open(address);
      }
    }),
    registerCommand(services, 'scopelight.addRemoteFolder', async () => {
      const address = await askAddress(vscode.l10n.t('Add Remote Log Directory'));
      if (address !== undefined) {
        await setRemoteFolders([...remoteFolders().filter((each) => each !== address), address]);
      }
    }),
    registerCommand(services, 'scopelight.removeRemoteFolder', async (node) => {
      const placeHolder = vscode.l10n.t('The log directory to take from the list; its files stay');
      const address = isRemote(node)
        ? node.address
        : await vscode.window.showQuickPick([...remoteFolders()], { placeHolder });
      if (address !== undefined) {
        await setRemoteFolders(remoteFolders().filter((each) => each !== address));
      }
    }),
    registerCommand(services, 'scopelight.refreshRemoteFolders', () => directories.refresh()),
  );
}

export function remoteItem({ address }: RemoteNode): vscode.TreeItem {
  const item = new vscode.TreeItem(address, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `remote ${address}`;
  item.iconPath = new vscode.ThemeIcon('cloud');
  item.contextValue = 'remote';
  return item;
}

export function problemItem({ address, sentence }: ProblemNode): vscode.TreeItem {
  const item = new vscode.TreeItem(sentence);
  item.id = `problem ${address}`;
  item.tooltip = sentence;
  item.iconPath = new vscode.ThemeIcon('warning');
  return item;
}

function isRemote(node: unknown): node is RemoteNode {
  return typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'remote';
}

async function askAddress(title: string): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('The address of a log directory, or of one file: s3://, gs:// or https://'),
    placeHolder: 's3://bucket/logs',
    ignoreFocusOut: true,
    validateInput: (typed) =>
      typed === '' || isAddress(typed.trim())
        ? undefined
        : vscode.l10n.t('An address begins with s3://, gs:// or https://.'),
  });
  const address = text?.trim();
  return address === '' ? undefined : address;
}
