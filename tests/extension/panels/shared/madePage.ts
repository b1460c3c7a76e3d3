import type { ComponentChild } from 'preact';
import type { ComparedWith, Scope } from '../../../../extension/src/protocol';
import type { PageMessage } from '../../../../extension/src/panels/messages';

export type Asked = PageMessage & { readonly type: 'request' | 'details' };

/** A panel with made data, for a page of its own: each panel's tests have one in `page.tsx`. */
export interface MadePage {
  readonly content: ComponentChild;
  /** What is looked at, where its data are not of complete steps. */
  readonly scope?: Scope;
  /** With what the run is compared. */
  readonly comparison?: ComparedWith | null;
  /** Answers what the panel asks for; null leaves it without an answer. */
  readonly answer: (asked: Asked) => unknown;
}
