// The controls of the Memory Viewer: which program and memory space, what is drawn over positions, in which order.

import * as l10n from '@vscode/l10n';
import { Choice } from '../../shared/controls/choice';
import { TableToggle } from '../../shared/charts/tableToggle';
import { byteSize, count } from '../../shared/text/format';
import { UNKNOWN } from '../../shared/text/quantities';
import { Select } from '../../shared/controls/select';
import { executionOf, type ViewName } from './curveData';
import { programLabel } from '../../shared/op/programLabel';
import type { Viewer } from './viewer';

/** The program, and which of its memories. Nothing where there is nothing to choose. */
export function ProgramSelects({ viewer }: { readonly viewer: Viewer }) {
  const { modules, program_id, memory_space } = viewer.record;
  const spaces = modules.find((each) => each.program_id === program_id)?.memory_spaces ?? [];
  const size = (bytes: number | null): string => (bytes === null ? UNKNOWN : byteSize(bytes));
  return (
    <>
      {modules.length < 2 ? null : (
        <Select
          label={l10n.t('Program')}
          options={modules.map((each) => ({
            value: each.program_id,
            label: `${programLabel(each, modules)} · ${size(each.peak_bytes)}`,
          }))}
          value={program_id ?? ''}
          onChange={(id) => viewer.choose(id, null)}
        />
      )}
      {spaces.length < 2 ? null : (
        <Select
          label={l10n.t('Memory')}
          options={spaces.map(({ number, name, peak_bytes: peak }) => ({
            value: String(number),
            label: `${name} · ${size(peak)}`,
          }))}
          value={String(memory_space)}
          onChange={(number) => viewer.choose(program_id, Number(number))}
        />
      )}
    </>
  );
}

/** What is drawn over positions, and whether as a chart. */
export function ViewTools({ viewer }: { readonly viewer: Viewer }) {
  const { state, record, view } = viewer;
  const { allocations } = viewer.map;
  return (
    <div class="tool-row">
      <Choice<ViewName>
        label={l10n.t('Memory over')}
        options={[
          { value: 'program', label: l10n.t('Program Order') },
          ...(executionOf(record) === null
            ? []
            : [{ value: 'execution' as const, label: l10n.t('Order of Execution') }]),
          { value: 'map', label: l10n.t('Allocation Map') },
        ]}
        value={view}
        onChange={(chosen) => (state.view.value = chosen)}
      />
      {view !== 'map' || allocations.length < 2 ? null : (
        <Select
          label={l10n.t('Allocation')}
          options={[
            { value: '', label: l10n.t('All {0}', count(allocations.length)) },
            ...[...allocations]
              .sort((one, other) => other.bytes - one.bytes)
              .map(({ number, bytes }) => ({ value: String(number), label: `${count(number)} · ${byteSize(bytes)}` })),
          ]}
          value={state.allocation.value === null ? '' : String(state.allocation.value)}
          onChange={(chosen) => (state.allocation.value = chosen === '' ? null : Number(chosen))}
        />
      )}
      <span class="spacer" />
      <TableToggle asTable={state.asTable} />
    </div>
  );
}
