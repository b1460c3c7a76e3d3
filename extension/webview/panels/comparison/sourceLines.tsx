// The recorded texts around a line, as a patch has them, with what each line has on either side.

import * as l10n from '@vscode/l10n';
import type { ComparedLine, ComparedRow, ComparisonRecord } from '../../../src/protocol';
import { useDetails } from '../../shared/page/details';
import { amountsOf } from './rows';
import { changeMark, untoldWork } from './told';

export function SourceLines(props: { readonly row: ComparedRow; readonly record: ComparisonRecord }) {
  const { row, record } = props;
  const isAfter = row.after_key !== null;
  const { value } = useDetails('comparedLines', {
    before_file: row.before_file,
    before_line: row.before_line,
    after_file: isAfter ? row.file : null,
    after_line: isAfter ? row.line : null,
  });
  if (value === null) {
    return null;
  }
  if (value.lines.length === 0) {
    return <p class="quiet">{l10n.t('No run keeps a copy of this file.')}</p>;
  }
  const indent = commonIndent(value.lines);
  const marks = value.lines.map((line) => markOf(rowOf(record, row, line)));
  return (
    <table
      class={`source-lines ${marks.some((mark) => mark.length > SHORT_MARK) ? 'with-work' : ''}`}
      aria-label={l10n.t('The source before and after')}
    >
      <tbody>
        {value.lines.map((line, at) => {
          const kind = kindOf(line);
          const of = rowOf(record, row, line);
          return (
            <tr
              key={`${String(line.before_line)} ${String(line.after_line)}`}
              class={`${kind} ${of === row ? 'meant' : ''}`}
            >
              <td class="number">{line.before_line ?? ''}</td>
              <td class="number">{line.after_line ?? ''}</td>
              <td class="sign">{kind === 'added' ? '+' : kind === 'removed' ? '−' : ''}</td>
              <td class="code" title={line.text}>
                {line.text.slice(indent)}
              </td>
              <td class="end">{marks[at]}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Of no more characters than this, a mark has room beside the text in any case: `+116 %`. */
const SHORT_MARK = 8;

/** What of FLOPs changed, which is exact, changed whatever the time did. */
function markOf(row: ComparedRow | undefined): string {
  return row === undefined || (amountsOf(row).change === 0 && untoldWork(row) === null) ? '' : changeMark(row);
}

/** As many spaces as all lines begin with that are not blank: there is little room. */
export function commonIndent(lines: readonly ComparedLine[]): number {
  const indents = lines.flatMap(({ text }) => (text.trim() === '' ? [] : [/^\s*/u.exec(text)?.[0].length ?? 0]));
  return indents.length === 0 ? 0 : indents.reduce((one, other) => Math.min(one, other));
}

function kindOf({ before_line: before, after_line: after }: ComparedLine): 'added' | 'removed' | 'same' {
  return before === null ? 'added' : after === null ? 'removed' : 'same';
}

/** The row of the comparison that is on a line of these texts. */
function rowOf(record: ComparisonRecord, meant: ComparedRow, line: ComparedLine): ComparedRow | undefined {
  return record.rows.find((row) =>
    row.after_key === null
      ? line.after_line === null && row.before_file === meant.before_file && row.before_line === line.before_line
      : line.after_line !== null && row.file === meant.file && row.line === line.after_line,
  );
}
