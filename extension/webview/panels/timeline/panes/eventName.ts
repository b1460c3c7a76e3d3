// What an event is called where it is one of many: an op by what it is in jax first, anything else by its name alone.

import type { EventPlace, OpInJax } from '../../../../src/protocol';
import { fullOpName, type NamedOp } from '../../../shared/op/opName';

interface ListedEvent {
  readonly shown_name: string;
  readonly op: OpInJax | null;
}

const NO_OP: OpInJax = { primitive: '', path: null, line: null, phase: null };

export function namedEvent({ shown_name: name, op }: ListedEvent): NamedOp {
  return { name, ...(op ?? NO_OP) };
}

/** What may have been cut off, and the name as the profile has it. */
export function wholeName(event: ListedEvent & { readonly place: EventPlace }): string {
  return [...new Set([fullOpName(namedEvent(event)), event.place.name])].join('\n');
}
