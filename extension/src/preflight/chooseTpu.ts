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
  const other = otherItem();
  const latest = remembered.tpu;
  const items = itemsOf(offered, latest === undefined ? [] : [latest]);
  const title = vscode.l10n.t('What Would a TPU Do?');
  const placeHolder = vscode.l10n.t('The TPU that the script is compiled for');
  const picked = await vscode.window.showQuickPick([...items, other], { title, placeHolder, matchOnDescription: true });
  const written = picked === other ? await writtenTpus(services, title, placeHolder, 'v5e-8', false) : undefined;
  const name = picked === other ? written?.[0] : picked?.label;
  if (name !== undefined) {
    await remembered.setTpu(name);
  }
  return name;
}

/** The names of TPUs that are compared, those of the last time ticked. Undefined where none was chosen. */
export async function chooseTpus(
  services: Services,
  remembered: Remembered,
  offered: readonly OfferedTpu[],
): Promise<readonly string[] | undefined> {
  const other = otherItem();
  const ticked = remembered.comparedTpus;
  const items = itemsOf(offered, ticked).map((item) => ({ ...item, picked: ticked.includes(item.label) }));
  const title = vscode.l10n.t('Compare TPUs');
  const picked = await vscode.window.showQuickPick([...items, other], {
    title,
    placeHolder: vscode.l10n.t('The TPUs to compare, or one for several values of an argument'),
    matchOnDescription: true,
    canPickMany: true,
  });
  if (picked === undefined) {
    return undefined;
  }
  const named = picked.filter((item) => item !== other).map(({ label }) => label);
  const prompt = vscode.l10n.t('Names of TPUs, with commas between them');
  const written = picked.includes(other) ? await writtenTpus(services, title, prompt, 'v6e-256, 2xv5e-16', true) : [];
  const names = written && [...new Set([...named, ...written])];
  if (names === undefined || names.length === 0) {
    return undefined;
  }
  await remembered.setComparedTpus(names);
  return names;
}

function otherItem(): vscode.QuickPickItem {
  return {
    label: vscode.l10n.t('Another…'),
    description: vscode.l10n.t('by its name, as in v6e-256 or 2xv5e-16'),
  };
}

/** What is offered, those first that were chosen before. */
function itemsOf(offered: readonly OfferedTpu[], first: readonly string[]): readonly vscode.QuickPickItem[] {
  const described = new Map(offered.map(({ name, description }) => [name, description]));
  const names = new Set([...first, ...described.keys()]);
  return [...names].map((label) => ({ label, description: described.get(label) ?? '' }));
}

async function writtenTpus(
  services: Services,
  title: string,
  prompt: string,
  placeHolder: string,
  takesSeveral: boolean,
): Promise<readonly string[] | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt,
    placeHolder,
    validateInput: async (written) => {
      const names = namesIn(written);
      if (names.length === 0) {
        return vscode.l10n.t('Write the name of a TPU, as in v6e-256 or 2xv5e-16.');
      }
      if (!takesSeveral && written.includes(',')) {
        return vscode.l10n.t('Write one name: “Scopelight: Compare TPUs…” is for several.');
      }
      for (const name of names) {
        const { problem } = await services.daemon.request('scopelight/nameTpu', { name });
        if (problem !== null) {
          return problem;
        }
      }
      return undefined;
    },
  });
  const names = text === undefined ? [] : namesIn(text);
  return names.length === 0 ? undefined : names;
}

function namesIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
