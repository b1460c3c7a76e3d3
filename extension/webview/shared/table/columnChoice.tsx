// Which columns a table has: a button that opens a list of them to tick.

import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../controls/elements';
import type { Column } from './columns';

export function ColumnChoice<Row>(props: {
  /** Every column; the first is always shown. */
  readonly columns: readonly Column<Row>[];
  readonly chosen: readonly string[];
  /** Null goes back to what is shown where nothing was chosen. */
  readonly onChange: (chosen: readonly string[] | null) => void;
}) {
  const { columns, chosen, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    if (isOpen) {
      element.current?.querySelector<HTMLInputElement>('input:not(:disabled)')?.focus();
    }
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const closeOutside = (event: PointerEvent): void => {
      if (event.target instanceof Node && element.current?.contains(event.target) !== true) {
        setOpen(false);
      }
    };
    window.addEventListener('pointerdown', closeOutside, true);
    return () => window.removeEventListener('pointerdown', closeOutside, true);
  }, [isOpen]);

  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const toggle = (id: string): void => {
    const wanted = new Set(chosen);
    if (!wanted.delete(id)) {
      wanted.add(id);
    }
    onChange(columns.filter((column) => wanted.has(column.id)).map((column) => column.id));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const inputs = [...(element.current?.querySelectorAll<HTMLElement>('.column-list input:not(:disabled)') ?? [])];
    const at = inputs.findIndex((input) => input === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (event.key === 'Escape') {
      close();
    } else if (to !== undefined && at !== -1) {
      inputs[(to + inputs.length) % inputs.length]?.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="column-choice" ref={element} {...(isOpen ? { onKeyDown } : {})}>
      <button
        type="button"
        class="toggle"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        ref={button}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="list-selection" /> <span class="words">{l10n.t('Columns')}</span>
      </button>
      {isOpen ? (
        <div class="column-list popup" role="dialog" aria-label={l10n.t('Columns')}>
          <div class="column-ticks">
            {columns.map((column, position) => (
              <label key={column.id} title={column.meaning ?? column.title}>
                <input
                  type="checkbox"
                  checked={position === 0 || chosen.includes(column.id)}
                  disabled={position === 0}
                  onChange={() => toggle(column.id)}
                />
                {column.title}
              </label>
            ))}
          </div>
          <button
            type="button"
            class="link"
            onClick={() => {
              onChange(null);
              close();
            }}
          >
            {l10n.t('Back to the usual columns')}
          </button>
        </div>
      ) : null}
    </div>
  );
}
