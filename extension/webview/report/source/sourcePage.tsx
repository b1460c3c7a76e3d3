// The recorded source of a run, each line with what it took.

import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { LineRecord, LinesAnswer } from '../../../src/protocol';
import { Select } from '../../shared/controls/select';
import { duration, share } from '../../shared/text/format';
import { type Held, keyOf } from '../held';
import type { ReportHost, ShownLine } from '../host';
import './source.css';

/** The file that was looked at last. */
const chosen = signal<string | null>(null);

export function SourcePage(props: { readonly held: Held; readonly host: ReportHost; readonly line: ShownLine | null }) {
  const { held, host, line } = props;
  const { scope } = host.facts.value;
  const [of, ofFirst] = [scope, held.scope].map((each) => held.answers[keyOf(each, 'view/lines', {})]);
  const answer = (of ?? ofFirst) as LinesAnswer | undefined;
  const lines = useMemo(() => answer?.record.lines ?? [], [answer]);
  useEffect(() => {
    if (line !== null) {
      chosen.value = line.file;
    }
  }, [line]);
  const files = Object.keys(held.sources ?? {});
  const file = chosen.value ?? files[0] ?? null;
  const text = file === null ? undefined : held.sources?.[file];
  return (
    <main class="source-page">
      {files.length === 0 ? null : (
        <div class="tool-row">
          <Select
            label={l10n.t('File')}
            options={[...new Set(file === null ? files : [...files, file])].map((value) => ({
              value,
              label: shownName(lines, value),
            }))}
            value={file ?? ''}
            onChange={(value) => (chosen.value = value)}
          />
        </div>
      )}
      {file !== null && text !== undefined ? (
        <Text
          key={file}
          text={text}
          lines={lines.filter((each) => each.file === file)}
          wanted={line?.file === file ? line : null}
          onShow={(each) => host.showIn('hotLines', { kind: 'line', file, line: each.line })}
        />
      ) : (
        <div class="state">
          <p class="reason">{whyNone(held, file, line)}</p>
        </div>
      )}
    </main>
  );
}

function shownName(lines: readonly LineRecord[], file: string): string {
  return lines.find((each) => each.file === file)?.path ?? file.replace(/^.*[\\/]/, '');
}

function whyNone(held: Held, file: string | null, line: ShownLine | null): string {
  if (held.sources === null) {
    return line === null
      ? l10n.t('The source was left out of this report.')
      : l10n.t('The source was left out of this report: line {0} of {1}.', line.line, line.file);
  }
  return file === null
    ? l10n.t('The run keeps no copy of its source, so this report holds none.')
    : l10n.t('This report does not hold {0}: the run keeps no copy of it.', file);
}

function Text(props: {
  readonly text: string;
  readonly lines: readonly LineRecord[];
  readonly wanted: ShownLine | null;
  readonly onShow: (line: LineRecord) => void;
}) {
  const { text, wanted } = props;
  const rows = useMemo(() => text.split('\n'), [text]);
  const costs = useMemo(() => new Map(props.lines.map((each) => [each.line, each])), [props.lines]);
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => row.current?.scrollIntoView({ block: 'center' }), [wanted]);
  return (
    <div class="source-text" role="region" aria-label={l10n.t('Source')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{l10n.t('Line')}</th>
            <th scope="col">{l10n.t('Of the time')}</th>
            <th scope="col">{l10n.t('Source')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((each, index) => {
            const number = index + 1;
            const cost = costs.get(number);
            const isWanted = wanted?.line === number;
            return (
              <tr key={number} class={isWanted ? 'wanted' : ''} {...(isWanted ? { ref: row } : {})}>
                <th scope="row">{number}</th>
                <td>{cost === undefined ? null : <Cost line={cost} onShow={props.onShow} />}</td>
                <td>
                  <code>{each === '' ? ' ' : each}</code>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Cost({ line, onShow }: { readonly line: LineRecord; readonly onShow: (line: LineRecord) => void }) {
  // With the waiting already.
  const { share_ratio: ratio, per_step_ps: time } = line;
  if (ratio <= 0) {
    return null;
  }
  return (
    <button
      type="button"
      class="cost"
      title={l10n.t('Show in Hot Lines')}
      style={{ '--ratio': String(Math.min(1, ratio)) }}
      onClick={() => onShow(line)}
    >
      <span>{share(ratio)}</span>
      {time === null ? null : <span class="quiet">{duration(time)}</span>}
    </button>
  );
}
