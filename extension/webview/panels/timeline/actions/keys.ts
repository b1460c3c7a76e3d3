// The keyboard: which action a key does, and when it is left to the control that has the focus.

import type { Action } from './action';
import type { Motion } from '../tools/motion';

/** Where keys write, or are those of something that lies above the page. */
const WRITING = 'input, textarea, select, vscode-textfield, [role=dialog], [role=menu]';
/** The element of the picture has it. */
export const PICTURE_SELECTOR = '[data-picture]';

export function actionOf(actions: readonly Action[], event: KeyboardEvent): Action | null {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) {
    return null;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = actions.find(({ keys }) => keys.includes(key)) ?? null;
  return action?.onPictureOnly === true && !isOn(event.target, PICTURE_SELECTOR) ? null : action;
}

/** Does what a key means; true where it means something. */
export function pressKey(actions: readonly Action[], motion: Motion, event: KeyboardEvent): boolean {
  const action = actionOf(actions, event);
  if (action === null) {
    return false;
  }
  if (action.held !== undefined) {
    motion.start(action.held);
  } else {
    action.run();
  }
  return true;
}

export function releaseKey(actions: readonly Action[], motion: Motion, event: KeyboardEvent): void {
  const key = event.key.toLowerCase();
  const held = actions.find(({ keys }) => keys.includes(key))?.held;
  if (held !== undefined) {
    motion.stop(held);
  }
}

/** Whether keys there are not the timeline's: in a field, or in what lies above the page. */
export function isWriting(target: EventTarget | null): boolean {
  return isOn(target, WRITING);
}

function isOn(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
