// The host of a report's pages: it answers with what the report holds, and leads from page to page.

import * as l10n from '@vscode/l10n';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { HostFacts, HostMessage, PageMessage, Selection } from '../../src/panels/messages';
import { panelOpenedBy } from '../../src/panels/panelList';
import type { PanelId } from '../../src/panels/registry';
import type { OpenedRun, Scope, TimelineAnswer } from '../../src/protocol';
import type { Page } from '../shared/page/page';
import { HostLink, type MessageSource } from '../shared/page/rpc';
import { SavedState } from '../shared/page/state';
import { copyText } from './clipboard';
import { type Held, keyOf } from './held';
import { TimelineAnswers } from './timeline/answers';

/** A line of source to be shown. */
export interface ShownLine {
  readonly file: string;
  readonly line: number;
}

/** Where a reader is led to. */
export interface Ways {
  readonly toPanel: (panel: PanelId) => void;
  readonly toLine: (line: ShownLine) => void;
}

type Question = Extract<PageMessage, { type: 'request' | 'details' }>;

class Refusal extends Error {}

export class ReportHost {
  private readonly states = new Map<PanelId, unknown>();
  private readonly timeline: TimelineAnswers | null;
  private readonly known;
  /** Of the pages that are open: each tells its page the facts. */
  private readonly tellings = new Set<() => void>();
  /** What pages know beside their records. */
  readonly facts: ReadonlySignal<HostFacts>;

  constructor(
    private readonly held: Held,
    private readonly ways: Ways,
  ) {
    this.timeline = held.timeline === null ? null : new TimelineAnswers(held.timeline);
    this.known = signal<HostFacts>({
      shownRun: this.runIn(held.scope),
      shownRunGeneration: 0,
      comparison: null,
      comparisonGeneration: 0,
      capturedRun: null,
      placesGeneration: 0,
      recordsGeneration: 0,
      fileGeneration: 0,
      isFileGone: false,
      daemonState: 'running',
      selection: null,
      selectionGeneration: 0,
      scope: held.scope,
      queries: [],
      trusted: false,
      isReport: true,
    });
    this.facts = this.known;
  }

  /** A page of the report, as a component of a panel knows it. `leave` lets go of it. */
  page(panel: PanelId): { readonly page: Page; readonly leave: () => void } {
    const heard: ((event: MessageEvent) => void)[] = [];
    const source: MessageSource = { addEventListener: (_, listener) => void heard.push(listener) };
    const say = (message: HostMessage): void => {
      for (const listener of heard) {
        listener(new MessageEvent('message', { data: message }));
      }
    };
    let heardSelections = 0;
    const tell = (): void => say({ type: 'facts', facts: this.known.value, heardSelections });
    const api = {
      postMessage: (message: PageMessage): void => {
        if (message.type === 'select' || message.type === 'showIn') {
          heardSelections += 1;
        }
        if (message.type === 'ready') {
          tell();
        } else if (message.type === 'request' || message.type === 'details') {
          // After what asked has ended, as an answer from elsewhere comes.
          queueMicrotask(() => say(this.answer(message)));
        } else {
          this.follow(message);
        }
      },
      getState: () => this.states.get(panel),
      setState: (state: unknown) => {
        this.states.set(panel, state);
        return state;
      },
    };
    this.tellings.add(tell);
    const host = new HostLink(api, source);
    return {
      page: { panel, path: null, host, saved: new SavedState(api, panel) },
      leave: () => this.tellings.delete(tell),
    };
  }

  /** Selects in every page. */
  select(selection: Selection | null): void {
    this.change({ selection });
  }

  /** Selects, and shows it in a page. */
  showIn(panel: PanelId, selection: Selection): void {
    this.change({ selection, selectionGeneration: this.known.value.selectionGeneration + 1 });
    this.ways.toPanel(panel);
  }

  private follow(message: Exclude<PageMessage, Question>): void {
    switch (message.type) {
      case 'select':
        this.select(message.selection);
        return;
      case 'showIn':
        this.showIn(message.panel, message.selection);
        return;
      case 'goToLine':
        this.ways.toLine(message);
        return;
      case 'copy':
        void copyText(message.text);
        return;
      case 'chooseScope':
        this.change({
          scope: message.scope,
          shownRun: this.runIn(message.scope),
          shownRunGeneration: this.known.value.shownRunGeneration + 1,
        });
        return;
      case 'run': {
        const panel = panelOpenedBy(message.command);
        if (panel !== undefined) {
          this.ways.toPanel(panel);
        }
        return;
      }
      // Nothing is running that could be cancelled, or write a file.
      case 'ready':
      case 'cancel':
      case 'exportTimeline':
        return;
    }
  }

  private change(facts: Partial<HostFacts>): void {
    this.known.value = { ...this.known.value, ...facts };
    for (const tell of this.tellings) {
      tell();
    }
  }

  private answer(question: Question): HostMessage {
    const { id } = question;
    try {
      return { type: 'result', id, result: this.resultOf(question) };
    } catch (error) {
      if (error instanceof Refusal) {
        return { type: 'failure', id, message: error.message };
      }
      throw error;
    }
  }

  private resultOf(question: Question): unknown {
    const { timeline } = this;
    if (question.type === 'request' && question.view === 'timeline' && timeline !== null) {
      const record = timeline.record;
      return { run: this.known.value.shownRun, record, contents: '' } satisfies TimelineAnswer;
    }
    // The link of the page, which asks, has checked that they belong together.
    const ofTimeline =
      question.type === 'details' ? timeline?.answer(question.details, question.params as never) : undefined;
    if (ofTimeline !== undefined) {
      return ofTimeline;
    }
    const method = question.type === 'request' ? `view/${question.view}` : `details/${question.details}`;
    return this.heldAnswer(method, question.params);
  }

  /** Records of no scope are held once. */
  private heldAnswer(method: string, params: unknown): unknown {
    for (const scope of [this.known.value.scope, this.held.scope]) {
      const answer = this.held.answers[keyOf(scope, method, params)];
      if (answer !== undefined) {
        return answer;
      }
    }
    throw new Refusal(l10n.t('This report does not hold that. Open the run itself in Scopelight to see it.'));
  }

  private runIn(scope: Scope): OpenedRun | null {
    return this.held.runs[scope] ?? this.held.runs[this.held.scope] ?? null;
  }
}
