import * as vscode from 'vscode';
import type { Annotation } from '../protocol';
import { align, columnsOf } from './alignment';

/** Heats as the daemon gives them: 0 has no mark. */
const HEATS = [1, 2, 3, 4, 5] as const;

/** What annotations of one document look like: options for each decoration type. */
export interface Decorated {
  readonly current: vscode.DecorationOptions[];
  readonly stale: vscode.DecorationOptions[];
  /** Ranges of lines by heat, from 1. */
  readonly heats: readonly vscode.Range[][];
  readonly staleMarks: vscode.Range[];
}

/** The part of a document that is needed. */
export type Lines = Pick<vscode.TextDocument, 'lineCount' | 'lineAt'>;

/** The decorations of a document; annotations of lines that it does not have are left out. */
export function decorate(annotations: readonly Annotation[], document: Lines, tabSize: number): Decorated {
  const present = annotations
    .filter(({ line }) => line >= 1 && line <= document.lineCount)
    .sort((one, other) => one.line - other.line);
  const texts = present.map(({ line }) => document.lineAt(line - 1).text);
  const paddings = align(
    present.map(({ line }, index) => ({ line: line - 1, columns: columnsOf(texts[index] ?? '', tabSize) })),
  );
  const decorated: Decorated = { current: [], stale: [], heats: HEATS.map(() => []), staleMarks: [] };
  for (const [index, annotation] of present.entries()) {
    const line = annotation.line - 1;
    const isStale = annotation.state === 'stale';
    // The whole text of the line: a break that is typed behind it does not take the annotation along.
    const range = new vscode.Range(line, 0, line, texts[index]?.length ?? 0);
    (isStale ? decorated.stale : decorated.current).push({
      range,
      renderOptions: { after: { contentText: unbroken(annotation.text), margin: `0 0 0 ${paddings[index] ?? 0}ch` } },
    });
    if (annotation.heat > 0) {
      const marks = isStale ? decorated.staleMarks : decorated.heats[annotation.heat - 1];
      marks?.push(range);
    }
  }
  return decorated;
}

/** Where one space follows another the editor draws a single one: only spaces that do not break keep their number. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}

/** The decoration types of the extension, and how they are put on an editor. */
export class Decorations implements vscode.Disposable {
  private readonly current = textType('scopelight.annotationForeground', 'normal');
  private readonly stale = textType('scopelight.staleForeground', 'italic');
  private readonly heats = HEATS.map((heat) => markType(`scopelight.heat${heat}`, 'solid'));
  private readonly staleMarks = markType('scopelight.staleForeground', 'dotted');

  /** Replaces what an editor shows. */
  apply(editor: vscode.TextEditor, decorated: Decorated): void {
    editor.setDecorations(this.current, decorated.current);
    editor.setDecorations(this.stale, decorated.stale);
    editor.setDecorations(this.staleMarks, decorated.staleMarks);
    for (const [index, type] of this.heats.entries()) {
      editor.setDecorations(type, decorated.heats[index] ?? []);
    }
  }

  dispose(): void {
    vscode.Disposable.from(this.current, this.stale, this.staleMarks, ...this.heats).dispose();
  }
}

function textType(color: string, fontStyle: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor(color), fontStyle },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
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
