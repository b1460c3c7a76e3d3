// What an event is called where it is one of many, or all of a name are: an op by what it is in jax first, anything else by its name alone.

import type { EventRecord, OpInJax } from '../../../../src/protocol';
import { fullOpName, type NamedOp, opName } from '../../../shared/op/opName';

export interface ListedEvent {
  readonly shown_name: string;
  readonly op: OpInJax | null;
}

const NO_OP: OpInJax = { primitive: '', path: null, line: null, phase: null };

export function namedEvent({ shown_name: name, op }: ListedEvent): NamedOp {
  return { name, ...(op ?? NO_OP) };
}

/** What may have been cut off, and the name as the profile has it. */
export function wholeName(event: ListedEvent, recorded: string): string {
  return [...new Set([fullOpName(namedEvent(event)), recorded])].join('\n');
}

/** The selected event: an op by its name in jax, with its line and phase; anything else as it is shown. */
export function eventTitle({ shown_name: name, primitive, phase, frames }: EventRecord): string {
  const frame = frames.find(({ user }) => user);
  return primitive === ''
    ? name
    : opName({ name, primitive, phase, path: frame?.path ?? null, line: frame?.line ?? null });
}
