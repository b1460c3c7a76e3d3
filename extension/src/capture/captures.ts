import { Observable } from '../observable';

/** The captures that are at work in this window. */
export class Captures extends Observable {
  private readonly titles: string[] = [];

  /** What is being captured, the latest last. */
  get active(): readonly string[] {
    return this.titles;
  }

  /** Counts a capture as at work while `work` is. */
  async during<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
    this.titles.push(title);
    this.changed.fire();
    try {
      return await work();
    } finally {
      this.titles.splice(this.titles.indexOf(title), 1);
      this.changed.fire();
    }
  }
}
