import type * as vscode from 'vscode';
import type { Annotation, Annotations } from '../protocol';
import { shiftLine } from './lineShift';

/** The part of a change of a document that is needed. */
export type TextChange = Pick<vscode.TextDocumentContentChangeEvent, 'range' | 'text'>;

interface Carried {
  readonly version: number;
  readonly file: string | null;
  readonly annotations: readonly Annotation[];
}

/** The annotations of all documents, kept on their lines between one word of the daemon and the next. */
export class DocumentAnnotations {
  private readonly carried = new Map<string, Carried>();

  /**
   * Takes the daemon's word on a document whose text has the version `present`. Answers whether it was taken: what was
   * computed for an older text is followed by what is computed for the present one.
   */
  receive({ uri, version, annotations, file }: Annotations, present: number): boolean {
    if (version !== null && version !== present) {
      return false;
    }
    this.carried.set(uri, { version: present, file, annotations });
    return true;
  }

  /** What a document carries; nothing where that is of another version of its text. */
  of(uri: string, version: number): readonly Annotation[] {
    const found = this.carried.get(uri);
    return found?.version === version ? found.annotations : [];
  }

  /** What the run calls a cell of a notebook; null for any other document. */
  fileOf(uri: string): string | null {
    return this.carried.get(uri)?.file ?? null;
  }

  /** Whether anything was said of a document. */
  has(uri: string): boolean {
    return this.carried.has(uri);
  }

  /** Follows an edit that led to `version`. Changes are of the text before it and do not overlap. */
  edit(uri: string, version: number, changes: readonly TextChange[]): void {
    const before = this.carried.get(uri);
    if (before === undefined) {
      return;
    }
    // From the last to the first, so that none moves another.
    const lastFirst = [...changes].sort((one, other) => other.range.start.line - one.range.start.line);
    let annotations = before.annotations;
    for (const { range, text } of lastFirst) {
      const change = { start: range.start, end: range.end, insertedLines: countBreaks(text) };
      const taken = new Set<number>();
      annotations = annotations.flatMap((annotation) => {
        const line = shiftLine(annotation.line - 1, change);
        if (line === undefined || taken.has(line)) {
          return [];
        }
        taken.add(line);
        return [{ ...annotation, line: line + 1 }];
      });
    }
    this.carried.set(uri, { ...before, version, annotations });
  }

  forget(uri: string): void {
    this.carried.delete(uri);
  }
}

/** Whether an edit only changed the text of lines that carry something: their ends, where annotations stand, moved. */
export function movesEnds(annotations: readonly Annotation[], changes: readonly TextChange[]): boolean {
  const isWithinLines = changes.every(({ range, text }) => range.start.line === range.end.line && !countBreaks(text));
  return isWithinLines && changes.some(({ range }) => annotations.some(({ line }) => line - 1 === range.start.line));
}

/** Whether an edit may have added lines or taken some away. */
export function changesLineCount(changes: readonly TextChange[]): boolean {
  return changes.some(({ range, text }) => range.start.line !== range.end.line || countBreaks(text) > 0);
}

function countBreaks(text: string): number {
  return text.split(/\r\n|\r|\n/u).length - 1;
}
