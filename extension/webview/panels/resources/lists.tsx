// Below the charts: processes, threads, or the means of each step.

import type { Signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { ResourceProcess, ResourcesRecord, ResourceThread } from '../../../src/protocol';
import { Choice } from '../../shared/controls/choice';
import { List } from '../../shared/frame/list';
import { usePage } from '../../shared/page/page';
import { present } from '../../shared/present';
import type { SavedState } from '../../shared/page/state';
import { tableState, type TableState } from '../../shared/table/tableState';
import type { Chart } from './charts';
import { CORE_COLUMN, placeless, processColumns, stepColumns, type StepRow, threadColumns } from './columns';
import { processName, threadName } from './words';

export type ListName = 'processes' | 'threads' | 'steps';

/** A row that is looked at. */
export type LookedRow =
  | { readonly kind: 'process'; readonly row: ResourceProcess }
  | { readonly kind: 'thread'; readonly row: ResourceThread }
  | { readonly kind: 'step'; readonly row: StepRow };

export interface ListsProps {
  readonly record: ResourcesRecord;
  /** Those that are shown, of which steps have the means. */
  readonly charts: readonly Chart[];
  readonly list: Signal<ListName>;
  readonly onLook: (looked: LookedRow) => void;
  readonly onZoom: (step: StepRow) => void;
}

const byCore = { column: CORE_COLUMN, descending: true };

/** How the tables are arranged. */
export function listStates(saved: SavedState): Readonly<Record<ListName, TableState>> {
  return {
    processes: tableState(saved, 'processes', byCore),
    threads: tableState(saved, 'threads', byCore),
    steps: tableState(saved, 'steps', { column: 'step', descending: false }),
  };
}

export function Lists({ record, charts, list, onLook, onZoom }: ListsProps) {
  const { saved } = usePage();
  const search = saved.signal('search', '');
  const states = listStates(saved);
  const processes = useMemo(() => placeless(record.processes), [record]);
  const threads = useMemo(() => placeless(record.threads), [record]);
  const steps = useMemo(
    () => placeless(record.steps.map((step, at): StepRow => ({ ...step, at, key: String(at) }))),
    [record],
  );
  const ofProcesses = useMemo(() => processColumns(record), [record]);
  const ofThreads = useMemo(() => threadColumns(record), [record]);
  const ofSteps = useMemo(() => stepColumns(charts), [charts]);
  const isThere = { processes: true, threads: threads.length > 0, steps: steps.length > 0 };
  const shown: ListName = isThere[list.value] ? list.value : 'processes';
  const common = {
    search,
    searchLabel: l10n.t('Search rows'),
    keyOf,
    selectionOf: () => null,
    tools: (
      <Choice<ListName>
        label={l10n.t('List')}
        options={present([
          { value: 'processes' as const, label: l10n.t('Processes') },
          isThere.threads ? { value: 'threads' as const, label: l10n.t('Threads') } : null,
          isThere.steps ? { value: 'steps' as const, label: l10n.t('Steps') } : null,
        ])}
        value={shown}
        onChange={(chosen) => (list.value = chosen)}
      />
    ),
  };
  return shown === 'threads' ? (
    <List
      {...common}
      key="threads"
      label={l10n.t('Threads')}
      columns={ofThreads}
      state={states.threads}
      roots={threads}
      textOf={(row) => [threadName(row), row.process, ...row.works_for].join('\n')}
      onSelect={(row) => onLook({ kind: 'thread', row })}
    />
  ) : shown === 'steps' ? (
    <List
      {...common}
      key="steps"
      label={l10n.t('Steps')}
      columns={ofSteps}
      state={states.steps}
      roots={steps}
      onSelect={(row) => onLook({ kind: 'step', row })}
      onOpen={(row) => {
        onZoom(row);
        return true;
      }}
    />
  ) : (
    <List
      {...common}
      key="processes"
      label={l10n.t('Processes')}
      columns={ofProcesses}
      state={states.processes}
      roots={processes}
      textOf={(row) => [processName(row), ...row.works_for].join('\n')}
      onSelect={(row) => onLook({ kind: 'process', row })}
    />
  );
}

const keyOf = ({ key }: { readonly key: string }): string => key;
