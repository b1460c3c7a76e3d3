import { askArguments } from '../capture/answers';
import { keyOf } from '../launch/targets';
import type { Answers, Remembered, Target } from '../remembered';

/** Arguments of scripts that are compiled for a TPU: those that profiling knows, else such as are answered here. */
export class ScriptArguments {
  /** What was answered here, by the key of its target: profiling asks for more than arguments. */
  private readonly given = new Map<string, string>();

  constructor(private readonly remembered: Pick<Remembered, 'answers'>) {}

  /** The answers for a target, asked for under `title` where they are not known; undefined where the user leaves. */
  async answersOf(target: Target, title: string): Promise<Answers | undefined> {
    const known = this.remembered.answers(target);
    if (known !== undefined || target.kind === 'configuration') {
      return known ?? { args: '', window: { kind: 'settings' } };
    }
    const args = await askArguments(title, this.given.get(keyOf(target)) ?? '');
    if (args === undefined) {
      return undefined;
    }
    this.given.set(keyOf(target), args);
    return { args, window: { kind: 'settings' } };
  }
}
