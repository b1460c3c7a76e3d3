// The run's own copies of recorded files, as documents that can be read and not written.

import path from 'node:path';
import * as vscode from 'vscode';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';

/** Of documents that are a run's copy of a file; the daemon knows it too. */
export const RECORDED_SCHEME = 'scopelight-source';

/** What a document is the copy of: a file as the run's records name it, and the run by its path. */
export interface RecordedCopy {
  readonly run: string;
  readonly file: string;
}

/** The document of a copy: it is titled by the recorded path, and its query says exactly what it is. */
export function recordedUri({ run, file }: RecordedCopy): vscode.Uri {
  const titled = `/${file.replaceAll('\\', '/').replace(/^\/+/u, '')}`;
  return vscode.Uri.from({ scheme: RECORDED_SCHEME, path: titled, query: JSON.stringify({ run, file }) });
}

/** What a document is the copy of; undefined where it is none. */
export function recordedCopy(uri: vscode.Uri): RecordedCopy | undefined {
  if (uri.scheme !== RECORDED_SCHEME) {
    return undefined;
  }
  try {
    const { run, file } = JSON.parse(uri.query) as Partial<RecordedCopy>;
    return typeof run === 'string' && typeof file === 'string' ? { run, file } : undefined;
  } catch {
    return undefined;
  }
}

interface Content {
  readonly bytes: Uint8Array;
  /** Raised with the text: by it the editor knows that there is another. */
  readonly mtime: number;
  /** Whether it is the copy itself, and no sentence about it. */
  readonly isCopy: boolean;
}

/**
 * Serves the copies that the shown run keeps, and nothing else: the daemon is asked by the name of a recorded file. A
 * document that is restored with the window waits for its run, and says where that is not shown.
 */
export class RecordedSources implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly contents = new Map<string, Promise<Content>>();
  private readonly parts: vscode.Disposable;
  private times = 0;
  readonly onDidChangeFile = this.changed.event;

  /** `restored` is settled once the run that was shown before is shown again, or cannot be. */
  constructor(
    private readonly services: Pick<Services, 'daemon' | 'log'>,
    private readonly shown: Pick<ShownRun, 'current' | 'onDidChange'>,
    private readonly restored: () => Promise<void>,
  ) {
    this.parts = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerFileSystemProvider(RECORDED_SCHEME, this, {
        isCaseSensitive: true,
        isReadonly: new vscode.MarkdownString(
          vscode.l10n.t("This is the run's own copy of the file, as it was recorded: it cannot be edited."),
        ),
      }),
      shown.onDidChange((run) => void this.readAgain(run?.path)),
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, mtime } = await this.content(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.byteLength };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.content(uri)).bytes;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.parts.dispose();
  }

  private content(uri: vscode.Uri): Promise<Content> {
    const key = uri.toString();
    const content = this.contents.get(key) ?? this.read(uri);
    this.contents.set(key, content);
    return content;
  }

  private async read(uri: vscode.Uri): Promise<Content> {
    const copy = recordedCopy(uri);
    if (copy === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    await this.restored();
    const text = await this.textOf(copy);
    this.times += 1;
    // Of one line alone: a restored view may be scrolled below the first.
    const written = text ?? `# ${this.reason(copy)}`;
    return { bytes: new TextEncoder().encode(written), mtime: this.times, isCopy: text !== null };
  }

  private async textOf(copy: RecordedCopy): Promise<string | null> {
    if (this.shown.current === null) {
      return null;
    }
    try {
      return (await this.services.daemon.request('scopelight/recordedSource', copy, { isQuiet: true })).text;
    } catch (error) {
      this.services.log.warn(`The run's copy of ${copy.file} could not be had: ${String(error)}`);
      return null;
    }
  }

  private reason({ run }: RecordedCopy): string {
    const name = path.basename(run);
    return this.shown.current?.path === run
      ? vscode.l10n.t('The run {0} keeps no copy of this file.', name)
      : vscode.l10n.t('The run {0}, which keeps this copy, is not shown: choose it in the Runs view.', name);
  }

  /** Replaces the sentence in documents of a run that is shown now. */
  private async readAgain(run: string | undefined): Promise<void> {
    for (const [key, content] of this.contents) {
      const uri = vscode.Uri.parse(key);
      const isCopy = await content.then(
        (each) => each.isCopy,
        () => true,
      );
      if (!isCopy && recordedCopy(uri)?.run === run) {
        this.contents.delete(key);
        this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      }
    }
  }
}
