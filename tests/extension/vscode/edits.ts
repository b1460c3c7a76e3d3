// Stands for changes of files and of notebooks: a test reads what was to change.
import type { Uri } from './files';
import type { Range } from './text';

export const NotebookCellKind = { Markup: 1, Code: 2 } as const;

export class NotebookRange {
  constructor(
    readonly start: number,
    readonly end: number,
  ) {}
}

export class NotebookCellData {
  constructor(
    readonly kind: number,
    readonly value: string,
    readonly languageId: string,
  ) {}
}

export class NotebookEdit {
  static insertCells(index: number, cells: NotebookCellData[]): NotebookEdit {
    return new NotebookEdit(new NotebookRange(index, index), cells);
  }

  static deleteCells(range: NotebookRange): NotebookEdit {
    return new NotebookEdit(range, []);
  }

  private constructor(
    readonly range: NotebookRange,
    readonly newCells: readonly NotebookCellData[],
  ) {}
}

export class WorkspaceEdit {
  readonly changes: [Uri, readonly NotebookEdit[]][] = [];
  readonly created: string[] = [];
  readonly replaced: { readonly path: string; readonly range: Range; readonly text: string }[] = [];

  createFile(uri: Uri): void {
    this.created.push(uri.path);
  }

  replace(uri: Uri, range: Range, text: string): void {
    this.replaced.push({ path: uri.path, range, text });
  }

  set(uri: Uri, edits: readonly NotebookEdit[]): void {
    this.changes.push([uri, edits]);
  }
}
