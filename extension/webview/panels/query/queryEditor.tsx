// Where a query is written: Ctrl+Enter (on a Mac Cmd+Enter) asks it, examples and earlier queries are lists beside it.

import * as l10n from '@vscode/l10n';
import { type Ref } from 'preact';
import type { QueryExample } from '../../../src/protocol';
import { Button } from '../../shared/controls/elements';
import { Select } from '../../shared/controls/select';

const NONE = '-';
const LONGEST = 60;

export function QueryEditor(props: {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly examples: readonly QueryExample[];
  /** Queries that were asked in this workspace, the latest first. */
  readonly earlier: readonly string[];
  readonly isAsking: boolean;
  readonly onAsk: (text: string) => void;
  readonly onCancel: () => void;
  readonly fieldRef: Ref<HTMLTextAreaElement>;
}) {
  const { text, onText, examples, earlier, isAsking, onAsk, onCancel, fieldRef } = props;
  const take = (query: string | undefined): void => {
    if (query !== undefined) {
      onText(query);
      onAsk(query);
    }
  };
  return (
    <section class="query-editor" aria-label={l10n.t('Query')}>
      <textarea
        ref={fieldRef}
        aria-label={l10n.t('Query in SQL')}
        spellcheck={false}
        autocapitalize="off"
        rows={6}
        value={text}
        placeholder={l10n.t('select path, line, self_ms from lines_ms order by self_ms desc')}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            onAsk(event.currentTarget.value);
          } else if (event.key === 'Escape' && isAsking) {
            event.preventDefault();
            onCancel();
          }
        }}
      />
      <div class="tool-row">
        {isAsking ? (
          <Button label={l10n.t('Cancel')} secondary onPress={onCancel} />
        ) : (
          <Button label={l10n.t('Run')} icon="play" onPress={() => onAsk(text)} />
        )}
        <span class="quiet keys">{isMac() ? l10n.t('⌘ Enter') : l10n.t('Ctrl+Enter')}</span>
        <span class="spacer" />
        <Select
          label={l10n.t('Examples')}
          options={[
            { value: NONE, label: l10n.t('choose') },
            ...examples.map(({ question }, at) => ({ value: String(at), label: question })),
          ]}
          value={at(examples.findIndex(({ query }) => query === text))}
          onChange={(chosen) => take(examples[Number(chosen)]?.query)}
        />
        {earlier.length === 0 ? null : (
          <Select
            label={l10n.t('History')}
            options={[
              { value: NONE, label: l10n.t('choose') },
              ...earlier.map((query, place) => ({ value: String(place), label: inOneLine(query) })),
            ]}
            value={at(earlier.indexOf(text))}
            onChange={(chosen) => take(earlier[Number(chosen)])}
          />
        )}
      </div>
    </section>
  );
}

function at(place: number): string {
  return place < 0 ? NONE : String(place);
}

function inOneLine(query: string): string {
  const line = query.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

function isMac(): boolean {
  return navigator.userAgent.includes('Mac');
}
