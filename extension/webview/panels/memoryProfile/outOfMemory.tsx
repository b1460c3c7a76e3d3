// Why a run ran out of memory, above all else: the sentence, what to do, and the lines that took it.

import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { OutOfMemoryRecord } from '../../../src/protocol';
import { Icon } from '../../shared/controls/elements';
import { byteSize } from '../../shared/text/format';
import { usePage } from '../../shared/page/page';
import { sentences } from '../../shared/findings/findings';
import { Prose } from '../../shared/text/prose';
import { lineItems } from '../../shared/frame/list';
import { selectionOf } from '../../shared/controls/lineLink';
import { showInItems } from '../../shared/page/showIn';
import { ROW_HEIGHT_PX } from '../../shared/table/rowWindow';
import { Table } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { culpritColumns, keyed, type KeyedRow } from './columns';

const MOST_ROWS = 6;
/** Where there is no other order the first is the one to look at. */
const AS_FOUND = { column: '', descending: true };

export function OutOfMemory({ record }: { readonly record: OutOfMemoryRecord }) {
  const page = usePage();
  const state = tableState(page.saved, 'culprits', AS_FOUND);
  const rows = useMemo(() => keyed(record.culprits), [record]);
  const columns = useMemo(() => culpritColumns(record.culprits), [record]);
  const remedy = sentences(record.findings, 'note', 'advice').join(' ');
  // With what was asked for, the sentence says what there is.
  const limit = record.requested_bytes === null ? record.limit_bytes : null;
  const height_px = (Math.min(MOST_ROWS, rows.length) + 1) * ROW_HEIGHT_PX + 4;
  return (
    <section class="out-of-memory" role="alert" aria-label={l10n.t('Out of memory')}>
      <p class="reason">
        <Icon name="error" /> <Prose text={sentences(record.findings, 'error').join(' ')} />
        {limit === null ? null : <span class="quiet"> {l10n.t('There are {0}.', byteSize(limit))}</span>}
      </p>
      {remedy === '' ? null : (
        <p class="remedy">
          <Prose text={remedy} />
        </p>
      )}
      {rows.length === 0 ? null : (
        <div class="culprits" style={{ height: `${String(height_px)}px` }}>
          <Table
            label={l10n.t('Lines that took the memory')}
            columns={columns}
            state={state}
            roots={rows}
            keyOf={keyOf}
            onOpen={(row) => page.host.goToLineOf(row)}
            menuOf={(row) => [...lineItems(page, row), ...showInItems(page, selectionOf(row))]}
          />
        </div>
      )}
      <details class="raised">
        <summary>{l10n.t('What was raised')}</summary>
        <pre class="code">{record.message}</pre>
      </details>
    </section>
  );
}

const keyOf = ({ key }: KeyedRow<object>): string => key;
