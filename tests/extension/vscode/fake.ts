// What a test arranges in the editor, and what it finds that the extension did.
import { EventEmitter } from './events';
import type { RelativePattern, Uri } from './files';

/** What a test tells a file by that was written: `ignored` are creations, changes and deletions. */
export class FakeWatcher {
  readonly created = new EventEmitter<Uri>();
  readonly changed = new EventEmitter<Uri>();
  readonly deleted = new EventEmitter<Uri>();
  readonly onDidCreate = this.created.event;
  readonly onDidChange = this.changed.event;
  readonly onDidDelete = this.deleted.event;
  isDisposed = false;

  constructor(
    readonly pattern: RelativePattern,
    readonly ignored: readonly boolean[],
  ) {}

  dispose(): void {
    this.isDisposed = true;
  }
}

/** A message that was shown, and the means to press one of its buttons. */
export interface ShownMessage {
  readonly kind: 'information' | 'warning' | 'error';
  readonly text: string;
  readonly buttons: readonly string[];
  readonly options: { readonly modal?: boolean; readonly detail?: string };
  press(button: string | undefined): void;
}

/** What a test arranges and looks at. */
export interface Fake {
  readonly settings: Map<string, unknown>;
  readonly messages: ShownMessage[];
  readonly contexts: Map<string, unknown>;
  readonly commands: Map<string, (...args: unknown[]) => unknown>;
  readonly executed: { command: string; args: unknown[] }[];
  readonly extensions: Map<string, { isActive: boolean; exports: unknown; activate(): Promise<unknown> }>;
  readonly progress: { title: string; reports: { message?: string; increment?: number }[] }[];
  readonly watchers: FakeWatcher[];
}

export const fake: Fake = {
  settings: new Map(),
  messages: [],
  contexts: new Map(),
  commands: new Map(),
  executed: [],
  extensions: new Map(),
  progress: [],
  watchers: [],
};

export const configurationChanged = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();

/** Changes a setting as a user would, and tells who listens. */
export function changeSetting(key: string, value: unknown): void {
  fake.settings.set(key, value);
  configurationChanged.fire({
    affectsConfiguration: (section) => key === section || key.startsWith(`${section}.`),
  });
}
