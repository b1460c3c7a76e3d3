import * as vscode from 'vscode';
import type { Annotation } from '../protocol';
import type { AnnotationPlace } from '../settings';
import { align, atColumn, columnsOf } from './alignment';

/** Heats as the daemon gives them: 0 has no mark. */
const HEATS = [1, 2, 3, 4, 5] as const;

/** Left and right of what stands left of the code: beside the mark of heat, and beside the code. */
const MARK_COLUMNS = 1;
const LEFT_GAP_COLUMNS = 2;

/** What annotations of one document look like: options for each decoration type. */
export interface Decorated {
  readonly current: vscode.DecorationOptions[];
  readonly stale: vscode.DecorationOptions[];
  /** Dimmed: that there is nothing to say. */
  readonly quiet: vscode.DecorationOptions[];
  /** In the column left of the code: of every line of the document or, where there is no such column, of none. */
  readonly left: vscode.DecorationOptions[];
  readonly leftStale: vscode.DecorationOptions[];
  /** Ranges of lines by heat, from 1. */
  readonly heats: readonly vscode.Range[][];
  readonly staleMarks: vscode.Range[];
}

/** The part of a document that is needed. */
export type Lines = Pick<vscode.TextDocument, 'lineCount' | 'lineAt'>;

/** The decorations of a document; annotations of lines that it does not have are left out. */
export function decorate(
  annotations: readonly Annotation[],
  document: Lines,
  tabSize: number,
  place: AnnotationPlace = { position: 'afterLine' },
): Decorated {
  const present = annotations
    .filter(({ line }) => line >= 1 && line <= document.lineCount)
    .sort((one, other) => one.line - other.line);
  const decorated: Decorated = {
    current: [],
    stale: [],
    quiet: [],
    left: [],
    leftStale: [],
    heats: HEATS.map(() => []),
    staleMarks: [],
  };
  const isLeft = (annotation: Annotation): boolean => place.position === 'beforeLine' && annotation.compact !== null;
  putLeft(
    present.filter((each) => isLeft(each)),
    document,
    tabSize,
    decorated,
  );
  putAfter(
    present.filter((each) => !isLeft(each)),
    document,
    tabSize,
    place,
    decorated,
  );
  for (const { line, heat, state } of present) {
    if (heat > 0) {
      const marks = state === 'stale' ? decorated.staleMarks : decorated.heats[heat - 1];
      marks?.push(wholeLine(document, line - 1));
    }
  }
  return decorated;
}

function putAfter(
  annotations: readonly Annotation[],
  document: Lines,
  tabSize: number,
  place: AnnotationPlace,
  decorated: Decorated,
): void {
  const lines = annotations.map(({ line }) => ({
    line: line - 1,
    columns: columnsOf(document.lineAt(line - 1).text, tabSize),
  }));
  const paddings = place.position === 'column' ? atColumn(lines, place.column) : align(lines);
  for (const [index, { line, text, state, quiet }] of annotations.entries()) {
    (state === 'stale' ? decorated.stale : quiet ? decorated.quiet : decorated.current).push({
      range: wholeLine(document, line - 1),
      renderOptions: { after: { contentText: unbroken(text), margin: `0 0 0 ${paddings[index] ?? 0}ch` } },
    });
  }
}

/** Every line makes the same room, so that the code keeps its shape. */
function putLeft(annotations: readonly Annotation[], document: Lines, tabSize: number, decorated: Decorated): void {
  if (annotations.length === 0) {
    return;
  }
  const widest = annotations.reduce((most, { compact }) => Math.max(most, columnsOf(compact ?? '', tabSize)), 0);
  const width = `${MARK_COLUMNS + widest + LEFT_GAP_COLUMNS}ch`;
  const byLine = new Map(annotations.map((each) => [each.line - 1, each]));
  for (let line = 0; line < document.lineCount; line++) {
    const annotation = byLine.get(line);
    (annotation?.state === 'stale' ? decorated.leftStale : decorated.left).push({
      range: new vscode.Range(line, 0, line, 0),
      renderOptions: {
        before: { contentText: unbroken(' '.repeat(MARK_COLUMNS) + (annotation?.compact ?? '')), width },
      },
    });
  }
}

/** The whole text of the line: a break that is typed behind it does not take the annotation along. */
function wholeLine(document: Lines, line: number): vscode.Range {
  return new vscode.Range(line, 0, line, document.lineAt(line).text.length);
}

/** Where one space follows another the editor draws a single one: only spaces that do not break keep their number. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}

/** The decoration types of the extension, and how they are put on an editor. */
export class Decorations implements vscode.Disposable {
  private readonly current = textType('scopelight.annotationForeground', 'normal');
  private readonly stale = textType('scopelight.staleForeground', 'italic');
  private readonly quiet = textType('scopelight.staleForeground', 'normal');
  private readonly left = leftType('scopelight.annotationForeground', 'normal');
  private readonly leftStale = leftType('scopelight.staleForeground', 'italic');
  private readonly heats = HEATS.map((heat) => markType(`scopelight.heat${heat}`, 'solid'));
  private readonly staleMarks = markType('scopelight.staleForeground', 'dotted');

  /** Replaces what an editor shows. */
  apply(editor: vscode.TextEditor, decorated: Decorated): void {
    editor.setDecorations(this.current, decorated.current);
    editor.setDecorations(this.stale, decorated.stale);
    editor.setDecorations(this.quiet, decorated.quiet);
    editor.setDecorations(this.left, decorated.left);
    editor.setDecorations(this.leftStale, decorated.leftStale);
    editor.setDecorations(this.staleMarks, decorated.staleMarks);
    for (const [index, type] of this.heats.entries()) {
      editor.setDecorations(type, decorated.heats[index] ?? []);
    }
  }

  dispose(): void {
    vscode.Disposable.from(
      this.current,
      this.stale,
      this.quiet,
      this.left,
      this.leftStale,
      this.staleMarks,
      ...this.heats,
    ).dispose();
  }
}

function textType(color: string, fontStyle: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor(color), fontStyle },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

function leftType(color: string, fontStyle: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    before: { color: new vscode.ThemeColor(color), fontStyle },
    // What is typed at the beginning of a line stands behind the column.
    rangeBehavior: vscode.DecorationRangeBehavior.OpenClosed,
  });
}

function markType(color: string, borderStyle: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor(color),
    borderStyle,
    borderWidth: '0 0 0 3px',
    overviewRulerColor: new vscode.ThemeColor(color),
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}
