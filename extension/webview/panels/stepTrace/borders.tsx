// Where the forward pass begins and where the backward pass ends: as found, or as the person says it.

import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { StepTraceRecord } from '../../../src/protocol';
import { fileName, lineText } from '../../shared/op/words';
import { usePage } from '../../shared/page/page';
import { dotted } from '../../shared/text/format';

export interface Borders {
  /** Empty: found by themselves. */
  readonly start: string;
  readonly end: string;
}

export function BorderFields(props: {
  readonly record: StepTraceRecord;
  readonly borders: Borders;
  readonly onChange: (borders: Borders) => void;
}) {
  const { record, borders, onChange } = props;
  const { host } = usePage();
  const asked = borderOf(host.facts.value?.selection ?? null);
  return (
    <section class="borders" aria-label={l10n.t('Where a step is divided')}>
      <Field
        label={record.has_backward ? l10n.t('Forward begins at') : l10n.t('The pass begins at')}
        text={borders.start}
        found={foundText(record.starts_by, record.starts_at, record.starts_at_line)}
        onChange={(start) => onChange({ ...borders, start })}
      />
      <Field
        label={record.has_backward ? l10n.t('Backward ends at') : l10n.t('The pass ends at')}
        text={borders.end}
        found={foundText(record.ends_by, record.ends_at, record.ends_at_line)}
        onChange={(end) => onChange({ ...borders, end })}
      />
      {asked === null ? (
        <p class="quiet">{l10n.t('Select a line, an op or a program in another panel to divide the steps there.')}</p>
      ) : (
        <p class="asked">
          <span class="quiet">{l10n.t('Selected: {0}', asked.name)}</span>
          <button type="button" class="link" onClick={() => onChange({ ...borders, start: asked.text })}>
            {record.has_backward ? l10n.t('Forward Begins There') : l10n.t('Begins There')}
          </button>
          <button type="button" class="link" onClick={() => onChange({ ...borders, end: asked.text })}>
            {record.has_backward ? l10n.t('Backward Ends There') : l10n.t('Ends There')}
          </button>
        </p>
      )}
    </section>
  );
}

function Field(props: {
  readonly label: string;
  readonly text: string;
  readonly found: string;
  readonly onChange: (text: string) => void;
}) {
  const { label, text, found, onChange } = props;
  const element = useRef<HTMLElement & { value: string }>(null);
  useEffect(() => {
    if (element.current !== null) {
      element.current.value = text;
    }
  }, [text]);
  const apply = (): void => onChange(element.current?.value.trim() ?? '');
  return (
    <div class="border">
      <span class="border-name">{label}</span>
      <vscode-textfield
        ref={element}
        label={label}
        placeholder={l10n.t('train.py:48, or a regular expression')}
        value={text}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            apply();
          } else if (event.key === 'Escape' && text !== '') {
            event.preventDefault();
            onChange('');
          }
        }}
      />
      {text === '' ? null : (
        <button type="button" class="link" onClick={() => onChange('')}>
          {l10n.t('Find by Itself')}
        </button>
      )}
      <span class="quiet ellipsis" title={found}>
        {found}
      </span>
    </div>
  );
}

function foundText(by: StepTraceRecord['starts_by'], op: string, line: string): string {
  const source = {
    phases: l10n.t('found by the phases of ops'),
    ops: l10n.t('the first or last op, for none has a phase'),
    option: l10n.t('as you say'),
    variable: l10n.t('as the script’s environment says'),
  }[by];
  return op === '' ? l10n.t('no op is there ({0})', source) : dotted([line === '' ? null : fileName(line), op, source]);
}

/** What of a selection can be a border: its line, or a program by its name. */
function borderOf(selection: Selection | null): { readonly name: string; readonly text: string } | null {
  if (selection === null) {
    return null;
  }
  if (selection.kind === 'program') {
    return {
      name: selection.name,
      text: selection.name.replace(/ \(\d+\)$/, '').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    };
  }
  const { file, line } = selection;
  return file === null || line === null ? null : { name: lineText(file, line), text: `${file}:${String(line)}` };
}
