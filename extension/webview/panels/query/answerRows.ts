// The rows of an answer, each with the line that it is of, where its columns name one.

import type { QueryAnswer } from '../../../src/protocol';
import type { LinePlace } from '../../shared/controls/lineLink';

export type AnswerValue = QueryAnswer['rows'][number][number];

export interface AnswerRow extends LinePlace {
  readonly key: string;
  readonly values: readonly AnswerValue[];
}

/** `files` are where the files of the column `path` are; an answer may have a column `file` of its own. */
export function answerRows(answer: QueryAnswer, files: Readonly<Record<string, string>>): readonly AnswerRow[] {
  const placeOf = (name: string): number => answer.columns.findIndex((column) => column.name === name);
  const [path, file, line] = [placeOf('path'), placeOf('file'), placeOf('line')];
  return answer.rows.map((values, at) => {
    const named = textAt(values, path);
    const number = values[line];
    return {
      key: String(at),
      values,
      path: named ?? textAt(values, file),
      file: textAt(values, file) ?? (named === null ? null : (files[named] ?? null)),
      line: typeof number === 'number' ? number : null,
    };
  });
}

function textAt(values: readonly AnswerValue[], at: number): string | null {
  const value = values[at];
  return typeof value === 'string' ? value : null;
}

/** What a search looks through, and a reader reads. */
export function searchedText({ values }: AnswerRow): string {
  return values.filter((value) => typeof value === 'string').join('\n');
}
