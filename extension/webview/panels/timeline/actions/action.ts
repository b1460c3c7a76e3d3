// What an action is, and how menus, keys and the help name it.

import * as l10n from '@vscode/l10n';
import type { MenuItem } from '../../../shared/controls/menu';
import type { MotionWay } from '../tools/motion';

export interface Action extends ActionOptions {
  readonly id: string;
  readonly label: string;
  /** Keys that do it, as `KeyboardEvent.key` has them. */
  readonly keys: readonly string[];
  readonly run: () => void;
  /** The group's name, under which the help lists it. */
  readonly group: string;
}

interface ActionOptions {
  /** Whether its keys have another meaning where the focus is on another control. */
  readonly onPictureOnly?: boolean;
  /** For keys that are held: goes on until this motion is stopped. */
  readonly held?: MotionWay;
  /** Whether there is something to do it with; absent: always. */
  readonly isOffered?: () => boolean;
}

/** An action as its module describes it. */
export type ActionOfGroup = Omit<Action, 'group'>;

export function action(
  id: string,
  label: string,
  keys: readonly string[],
  run: () => void,
  options: ActionOptions = {},
): ActionOfGroup {
  return { id, label, keys, run, ...options };
}

export function ofGroup(group: string, actions: readonly ActionOfGroup[]): readonly Action[] {
  return actions.map((each) => ({ ...each, group }));
}

/** Keys as a person reads them. */
export function keyText(key: string): string {
  const names: Readonly<Record<string, string>> = {
    ArrowRight: '→',
    ArrowLeft: '←',
    ArrowUp: '↑',
    ArrowDown: '↓',
    Escape: l10n.t('Esc'),
    Enter: l10n.t('Enter'),
    Home: l10n.t('Home'),
    End: l10n.t('End'),
  };
  return names[key] ?? key.toUpperCase();
}

/** Actions as a menu: those that can be done now, a line between groups. */
export function menuItems(actions: readonly Action[]): readonly MenuItem[] {
  const offered = actions.filter(({ isOffered }) => isOffered?.() ?? true);
  return offered.map(({ label, keys: [key], run, group }, place) => ({
    label,
    ...(key === undefined ? {} : { keys: keyText(key) }),
    run,
    startsGroup: place > 0 && group !== offered[place - 1]?.group,
  }));
}
