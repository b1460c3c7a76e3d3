// The tables that may be asked, beside the query: a sentence for each column, and its name at a press.

import * as l10n from '@vscode/l10n';
import type { QuerySchema } from '../../../src/protocol';
import { Prose } from '../../shared/text/prose';

export function SchemaPane(props: {
  readonly schema: QuerySchema;
  /** Names of the tables that are open. */
  readonly open: readonly string[];
  readonly onOpen: (open: readonly string[]) => void;
  /** Puts a name where the cursor of the query is. */
  readonly onName: (name: string) => void;
}) {
  const { schema, open, onOpen, onName } = props;
  return (
    <section class="schema" aria-label={l10n.t('Tables')}>
      <h2>{l10n.t('Tables')}</h2>
      <p class="quiet">
        {l10n.t('Times are in ps; a view with _ms after its table’s name has milliseconds. Press a name to use it.')}
      </p>
      {schema.tables.map((table) => (
        <details
          key={table.name}
          open={open.includes(table.name)}
          onToggle={({ currentTarget }) => {
            const others = open.filter((name) => name !== table.name);
            if (currentTarget.open !== open.includes(table.name)) {
              onOpen(currentTarget.open ? [...others, table.name] : others);
            }
          }}
        >
          <summary>
            <code>{table.name}</code>
          </summary>
          <p>
            <Prose text={table.sentence} />
          </p>
          <p class="names">
            <NameButton name={table.name} onName={onName} />
            {table.for_people === null ? null : <NameButton name={table.for_people} onName={onName} />}
          </p>
          <dl>
            {table.columns.map(({ name, kind, sentence }) => (
              <div key={name}>
                <dt>
                  <NameButton name={name} onName={onName} /> <span class="quiet">{kind.toLowerCase()}</span>
                </dt>
                <dd>
                  <Prose text={sentence} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </section>
  );
}

function NameButton({ name, onName }: { readonly name: string; readonly onName: (name: string) => void }) {
  return (
    <button type="button" class="link" title={l10n.t('Put into the query')} onClick={() => onName(name)}>
      <code>{name}</code>
    </button>
  );
}
