import * as vscode from 'vscode';
import type { OfferedTpu } from '../protocol';
import type { Remembered } from '../remembered';
import type { Services } from '../services';
import { preflightTpu } from '../settings';

/**
 * The name of the TPU that is meant: that of the setting, else one that is chosen, the latest first. Undefined where
 * nothing was chosen.
 */
export async function chooseTpu(
  services: Services,
  remembered: Remembered,
  offered: readonly OfferedTpu[],
): Promise<string | undefined> {
  const set = preflightTpu();
  if (set !== '') {
    return set;
  }
  const other: vscode.QuickPickItem = {
    label: vscode.l10n.t('Another…'),
    description: vscode.l10n.t('by its name, as in v6e-256 or 2xv5e-16'),
  };
  const latest = remembered.tpu;
  const items = offered.map(({ name, description }) => ({ label: name, description }));
  if (latest !== undefined) {
    const known = items.findIndex(({ label }) => label === latest);
    const [item] = known === -1 ? [{ label: latest, description: '' }] : items.splice(known, 1);
    items.unshift(...(item === undefined ? [] : [item]));
  }
  const title = vscode.l10n.t('What Would a TPU Do?');
  const placeHolder = vscode.l10n.t('The TPU that the script is compiled for');
  const picked = await vscode.window.showQuickPick([...items, other], { title, placeHolder, matchOnDescription: true });
  const name = picked === other ? await writtenTpu(services, title, placeHolder) : picked?.label;
  if (name !== undefined) {
    await remembered.setTpu(name);
  }
  return name;
}

function writtenTpu(services: Services, title: string, prompt: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt,
    placeHolder: 'v5e-8',
    validateInput: async (name) =>
      name.trim() === '' ? '' : (await services.daemon.request('scopelight/nameTpu', { name })).problem,
  });
}
