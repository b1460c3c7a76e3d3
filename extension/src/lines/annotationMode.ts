import * as vscode from 'vscode';
import { registerCommand } from '../failure';
import type { AnnotationMode } from '../protocol';
import type { ShownRun } from '../runs/shownRun';
import type { Services } from '../services';
import { ANNOTATION_MODES, affects, annotationMode, annotationsEnabled, changeSetting } from '../settings';
import type { TextAnnotations } from './annotations';

/** Beside the item of the run. */
const PRIORITY = 49;

/** Switches annotations on and off and between modes: commands, and a status bar item while a file carries some. */
export function registerAnnotationMode(
  services: Pick<Services, 'log'>,
  annotations: TextAnnotations,
  shown: ShownRun,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('scopelight.mode', vscode.StatusBarAlignment.Left, PRIORITY);
  item.name = vscode.l10n.t('Scopelight Annotation Mode');
  item.command = 'scopelight.selectAnnotationMode';
  const update = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const hasSome = document !== undefined && annotations.of(document).length > 0;
    const isOn = annotationsEnabled();
    // In a file of the run the mode can be left even where no line has anything to say in it.
    const isOfRun = document !== undefined && (shown.current?.files.includes(document.uri.fsPath) ?? false);
    if (shown.current === null || (isOn && !hasSome && !isOfRun)) {
      item.hide();
      return;
    }
    const title = isOn ? describe(annotationMode()).label : vscode.l10n.t('Annotations Off');
    item.text = `$(${isOn ? 'eye' : 'eye-closed'}) ${title}`;
    item.tooltip = vscode.l10n.t('What the annotations say: select to change');
    item.show();
  };
  update();
  return vscode.Disposable.from(
    item,
    annotations.onDidChange(update),
    shown.onDidChange(update),
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (affects(event, 'annotations')) {
        update();
      }
    }),
    registerCommand(services, 'scopelight.toggleAnnotations', () =>
      changeSetting('annotations.enabled', !annotationsEnabled()),
    ),
    registerCommand(services, 'scopelight.selectAnnotationMode', selectMode),
  );
}

/** A mode by its name and what annotations say in it. */
function describe(each: AnnotationMode): { readonly label: string; readonly detail: string } {
  return {
    time: { label: vscode.l10n.t('Time'), detail: vscode.l10n.t('Share of the step, and time per step') },
    phases: {
      label: vscode.l10n.t('Phases'),
      detail: vscode.l10n.t('Shares of forward, backward, recomputation, optimizer and other'),
    },
    flops: { label: vscode.l10n.t('FLOPs'), detail: vscode.l10n.t('FLOPs per second, and their share of the peak') },
    padding: {
      label: vscode.l10n.t('Padding'),
      detail: vscode.l10n.t(
        'Work on what only fills up tiles; on a CPU or GPU predicted for the TPU that the setting “Target” names',
      ),
    },
    memory: {
      label: vscode.l10n.t('Memory'),
      detail: vscode.l10n.t('What a line keeps in memory at the peak, and what of it for the backward pass'),
    },
    change: {
      label: vscode.l10n.t('Change'),
      detail: vscode.l10n.t('How much lines changed since the run that this one is compared with'),
    },
  }[each];
}

async function selectMode(): Promise<void> {
  const present = annotationsEnabled() ? annotationMode() : undefined;
  const items: (vscode.QuickPickItem & { readonly mode: AnnotationMode | undefined })[] = [
    ...ANNOTATION_MODES.map((each) => ({ ...describe(each), mode: each })),
    { label: vscode.l10n.t('Off'), detail: vscode.l10n.t('No annotations in the text'), mode: undefined },
  ];
  const picked = await vscode.window.showQuickPick(
    items.map((each) => (each.mode === present ? { ...each, description: vscode.l10n.t('now') } : each)),
    { title: vscode.l10n.t('Annotation Mode'), placeHolder: vscode.l10n.t('What stands after a line') },
  );
  if (picked === undefined) {
    return;
  }
  if (picked.mode !== undefined) {
    await changeSetting('annotations.mode', picked.mode);
  }
  await changeSetting('annotations.enabled', picked.mode !== undefined);
}
