// A context menu: by mouse or keyboard, at a place of the page.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

export interface MenuItem {
  readonly label: string;
  /** How the same is done by keyboard. */
  readonly keys?: string;
  readonly run: () => void;
  /** A line above it. */
  readonly startsGroup?: boolean;
}

export interface OpenMenu {
  readonly items: readonly MenuItem[];
  readonly x_px: number;
  readonly y_px: number;
}

/** Closes by Escape, Tab, a press outside, or when the page loses the focus; the focus returns to where it was. */
export function Menu(props: { readonly menu: OpenMenu; readonly onClose: () => void }): ComponentChildren {
  const element = useRef<HTMLDivElement>(null);
  const { menu, onClose } = props;

  useLayoutEffect(() => {
    const shown = element.current;
    if (shown === null) {
      return undefined;
    }
    const before = document.activeElement;
    shown.style.left = `${String(Math.max(0, Math.min(menu.x_px, window.innerWidth - shown.offsetWidth)))}px`;
    shown.style.top = `${String(Math.max(0, Math.min(menu.y_px, window.innerHeight - shown.offsetHeight)))}px`;
    shown.querySelector('button')?.focus();
    return () => {
      if (before instanceof HTMLElement) {
        before.focus();
      }
    };
  }, [menu]);

  useEffect(() => {
    const closeOutside = (event: PointerEvent): void => {
      if (event.target instanceof Node && element.current?.contains(event.target) !== true) {
        onClose();
      }
    };
    window.addEventListener('pointerdown', closeOutside, true);
    window.addEventListener('blur', onClose);
    return () => {
      window.removeEventListener('pointerdown', closeOutside, true);
      window.removeEventListener('blur', onClose);
    };
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(element.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      buttons[(to + buttons.length) % buttons.length]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose();
    }
    // The table below has its own meaning for these keys.
    event.stopPropagation();
  };

  return (
    <div
      class="menu popup"
      role="menu"
      ref={element}
      onKeyDown={onKeyDown}
      // The key that opened it may ask for the browser's own menu too.
      onContextMenu={(event) => event.preventDefault()}
    >
      {menu.items.map((item, position) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={item.startsGroup === true && position > 0 ? 'starts-group' : ''}
          onPointerMove={(event) => {
            // What comes under a pointer that rests, as entries scroll by keys, is not meant.
            if (event.movementX !== 0 || event.movementY !== 0) {
              event.currentTarget.focus({ preventScroll: true });
            }
          }}
          onClick={() => {
            onClose();
            item.run();
          }}
        >
          <span>{item.label}</span>
          {item.keys === undefined ? null : <kbd>{item.keys}</kbd>}
        </button>
      ))}
    </div>
  );
}
