// What a page keeps over a reload of the window and while it is hidden: navigation, never data.

import { effect, type Signal, signal } from '@preact/signals';
import type { PageState } from '../../../src/panels/messages';
import type { PanelId } from '../../../src/panels/registry';
import type { HostApi } from './rpc';

export class SavedState {
  private readonly values: Record<string, unknown>;
  private readonly signals = new Map<string, Signal<unknown>>();

  constructor(
    private readonly api: Pick<HostApi, 'getState' | 'setState'>,
    private readonly panel: PanelId,
  ) {
    const state = api.getState() as Partial<PageState> | null | undefined;
    this.values = { ...(state?.panel === panel ? state.values : {}) };
    // Also a page on which nothing was touched is restored, by its panel's id.
    this.save();
  }

  /** The signal of a name, saved with every change; `initial` where nothing was saved. Values must survive JSON. */
  signal<Value>(name: string, initial: Value): Signal<Value> {
    const existing = this.signals.get(name);
    if (existing !== undefined) {
      return existing as Signal<Value>;
    }
    const made = signal((name in this.values ? this.values[name] : initial) as Value);
    this.signals.set(name, made);
    effect(() => {
      if (made.value !== this.values[name]) {
        this.values[name] = made.value;
        this.save();
      }
    });
    return made;
  }

  private save(): void {
    this.api.setState({ panel: this.panel, values: this.values } satisfies PageState);
  }
}
