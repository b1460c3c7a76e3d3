import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCell, runTemporaryCell } from '../../../extension/src/notebooks/runCell';
import { CancellationTokenSource, commands, EventEmitter, Uri, workspace, type WorkspaceEdit } from '../vscode';

const { token } = new CancellationTokenSource();
const LATENCY_MS = 5;

interface Summary {
  readonly executionOrder?: number;
  readonly success?: boolean;
  readonly timing?: { readonly startTime: number; readonly endTime: number };
}

/** A cell as extensions see it. */
class Cell {
  executionSummary: Summary = {};
  metadata: Record<string, unknown> = {};
  readonly outputs = [];
  readonly document: { readonly uri: Uri };

  constructor(
    readonly notebook: Notebook,
    readonly code: string,
    number: number,
  ) {
    this.document = { uri: Uri.file(`/w/train.ipynb/${number}`) };
  }

  get index(): number {
    return this.notebook.cells.indexOf(this);
  }
}

/**
 * A notebook in an editor, which carries out what it is asked for one after the other, and tells of nothing any more
 * once it was asked to change a cell that is gone. Its own extension for notebooks has each run numbered.
 */
class Notebook {
  readonly uri = Uri.file('/w/train.ipynb');
  readonly cells: Cell[] = [];
  readonly metadata: Readonly<Record<string, unknown>>;
  isMute = false;
  private readonly changed = new EventEmitter<unknown>();
  private last = Promise.resolve();
  private runs = 0;

  constructor(language: string | undefined) {
    this.metadata = { metadata: language === undefined ? {} : { language_info: { name: language } } };
    vi.spyOn(workspace, 'onDidChangeNotebookDocument').mockImplementation(this.changed.event);
    workspace.applyEdit.mockImplementation((edit) => this.asked(() => this.apply(edit)));
    vi.spyOn(commands, 'executeCommand').mockImplementation((_, run) =>
      this.run(this.cellAt((run as { ranges: [{ start: number }] }).ranges[0].start)),
    );
  }

  get cellCount(): number {
    return this.cells.length;
  }

  cellAt(index: number): Cell {
    const cell = this.cells[index];
    if (cell === undefined) throw new Error(`no cell ${index}`);
    return cell;
  }

  getCells(): Cell[] {
    return [...this.cells];
  }

  private asked(act: () => void): Promise<boolean> {
    const done = this.last.then(() => sleep(LATENCY_MS)).then(act);
    this.last = done;
    return done.then(() => true);
  }

  private apply(edit: WorkspaceEdit): void {
    for (const { range, newCells } of edit.changes.flatMap(([, edits]) => edits)) {
      const added = newCells.map(({ value }, at) => new Cell(this, value, this.cells.length + at));
      const removedCells = this.cells.splice(range.start, range.end - range.start, ...added);
      this.tell([], [{ removedCells }]);
    }
  }

  private async run(cell: Cell): Promise<void> {
    const executionOrder = ++this.runs;
    this.summarize(cell, { executionOrder });
    await sleep(LATENCY_MS);
    const timing = { startTime: executionOrder, endTime: executionOrder + 0.5 };
    this.summarize(cell, { executionOrder, success: true, timing });
    await sleep(1);
    // As often as the editor has reckoned how long it took to draw the outputs.
    this.summarize(cell, { executionOrder, success: true, timing });
  }

  private summarize(cell: Cell, executionSummary: Summary): void {
    cell.executionSummary = executionSummary;
    const { executionOrder, success } = executionSummary;
    if (this.language !== undefined && success === true && cell.metadata['execution_count'] !== executionOrder) {
      const { index } = cell;
      void this.asked(() => {
        const numbered = this.cells[index];
        this.isMute ||= numbered === undefined;
        if (numbered !== undefined) {
          numbered.metadata = { execution_count: executionOrder };
          this.tell([{ cell: numbered, metadata: numbered.metadata }]);
        }
      });
    }
    this.tell([{ cell, executionSummary }]);
  }

  private get language(): unknown {
    return (this.metadata['metadata'] as Record<string, unknown>)['language_info'];
  }

  private tell(cellChanges: unknown[], contentChanges: unknown[] = []): void {
    if (!this.isMute) {
      this.changed.fire({ notebook: this, cellChanges, contentChanges });
    }
  }
}

beforeEach(() => {
  vi.clearAllMocks();
});

afterEach(() => {
  vi.restoreAllMocks();
});

function notebookOf(code: string, language?: string): Notebook {
  const notebook = new Notebook(language);
  notebook.cells.push(new Cell(notebook, code, 0));
  return notebook;
}

test('a temporary cell goes once the editor has numbered its run, and the next cell is heard to end', async () => {
  const notebook = notebookOf('print(3)', 'python');
  const { end } = await runTemporaryCell(notebook as never, 'print("asked")', token as never);
  expect(end).toBe(true);
  expect(notebook.cells.map(({ code }) => code)).toEqual(['print(3)']);
  await expect(runCell(notebook.cellAt(0) as never, token as never)).resolves.toBe(true);
  expect(notebook.isMute).toBe(false);
});

test('a temporary cell whose run nobody numbers goes at once', async () => {
  const notebook = notebookOf('print(3)');
  const begun = performance.now();
  await runTemporaryCell(notebook as never, 'print("asked")', token as never);
  expect(performance.now() - begun).toBeLessThan(5000);
  expect(notebook.cellCount).toBe(1);
});
