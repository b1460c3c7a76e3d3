// The events in sight as rows of a table, asked for in pages as one scrolls.

import { signal } from '@preact/signals';
import type { EventTableOptions, TableRow } from '../../../../src/protocol';
import { type HostLink, RequestCancelled, RequestFailure } from '../../../shared/page/rpc';

export const PAGE_ROWS = 200;
/** Pages that are kept; the ones farthest from what is in sight go first. */
const MOST_PAGES = 20;

export type EventQuestion = Omit<EventTableOptions, 'first' | 'count'>;

export class EventPages {
  /** How many events there are; null until the first page came. */
  readonly count = signal<number | null>(null);
  readonly failure = signal<string | null>(null);
  /** Raised with every page that came. */
  readonly generation = signal(0);
  private readonly pages = new Map<number, readonly TableRow[]>();
  private question: EventQuestion | null = null;
  private wanted: readonly number[] = [];
  private asking: { readonly page: number; readonly abort: AbortController } | null = null;

  constructor(private readonly host: HostLink) {}

  /** Asks for other events. What was there stays in sight until they come. */
  ask(question: EventQuestion): void {
    this.asking?.abort.abort();
    this.asking = null;
    this.pages.clear();
    this.question = question;
    if (this.wanted.length === 0) {
      this.wanted = [0];
    }
    this.next();
  }

  /** A row; undefined until its page came. */
  row(at: number): TableRow | undefined {
    return this.pages.get(Math.floor(at / PAGE_ROWS))?.[at % PAGE_ROWS];
  }

  /** Says which rows are in sight. */
  want(first: number, end: number): void {
    const from = Math.floor(Math.max(0, first) / PAGE_ROWS);
    const to = Math.floor(Math.max(0, end - 1) / PAGE_ROWS);
    this.wanted = Array.from({ length: to - from + 1 }, (_, place) => from + place);
    if (this.asking !== null && !this.wanted.includes(this.asking.page)) {
      this.asking.abort.abort();
      this.asking = null;
    }
    this.next();
  }

  stop(): void {
    this.asking?.abort.abort();
    this.asking = null;
    this.question = null;
  }

  private next(): void {
    const page = this.wanted.find((each) => !this.pages.has(each));
    if (page !== undefined && this.question !== null && this.asking === null && this.isThere(page)) {
      void this.fetch(this.question, page);
    }
  }

  private isThere(page: number): boolean {
    return page === 0 || page * PAGE_ROWS < (this.count.value ?? Infinity);
  }

  private async fetch(question: EventQuestion, page: number): Promise<void> {
    const abort = new AbortController();
    this.asking = { page, abort };
    try {
      const options = { ...question, first: page * PAGE_ROWS, count: PAGE_ROWS };
      const table = await this.host.details('timelineTable', options, { signal: abort.signal });
      this.pages.set(page, table.rows);
      this.forgetFarFrom(page);
      this.count.value = table.count;
      this.failure.value = null;
      this.generation.value += 1;
    } catch (error) {
      if (error instanceof RequestFailure) {
        this.question = null;
        this.failure.value = error.message;
      } else if (!(error instanceof RequestCancelled)) {
        throw error;
      }
    } finally {
      if (this.isAsking(abort)) {
        this.asking = null;
        this.next();
      }
    }
  }

  private isAsking(abort: AbortController): boolean {
    return this.asking?.abort === abort;
  }

  private forgetFarFrom(page: number): void {
    const byDistance = [...this.pages.keys()].sort((one, other) => Math.abs(other - page) - Math.abs(one - page));
    for (const far of byDistance.slice(0, Math.max(0, this.pages.size - MOST_PAGES))) {
      this.pages.delete(far);
    }
  }
}
