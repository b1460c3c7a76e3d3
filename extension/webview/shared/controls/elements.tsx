// Controls of @vscode-elements as components, so that pages need not know that they are custom elements.

import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-ring/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';

interface ElementAttributes {
  readonly class?: string;
  readonly title?: string;
  readonly ref?: unknown;
  readonly onClick?: () => void;
  readonly children?: ComponentChildren;
}

declare module 'preact' {
  // The way to declare elements to JSX.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': ElementAttributes & { readonly secondary?: boolean; readonly icon?: string };
      'vscode-progress-ring': ElementAttributes;
      'vscode-textfield': ElementAttributes & {
        readonly label?: string;
        readonly placeholder?: string;
        readonly value?: string;
        readonly onInput?: (event: InputEvent) => void;
        readonly onKeyDown?: (event: KeyboardEvent) => void;
      };
      'vscode-toolbar-button': ElementAttributes & { readonly icon?: string; readonly label?: string };
    }
  }
}

export function Button(props: {
  readonly label: string;
  readonly icon?: string;
  readonly secondary?: boolean;
  readonly onPress: () => void;
}) {
  return (
    <vscode-button secondary={props.secondary ?? false} icon={props.icon ?? ''} onClick={props.onPress}>
      {props.label}
    </vscode-button>
  );
}

/** A button that is only an icon; `label` is its name and tooltip. */
export function IconButton(props: {
  readonly icon: string;
  readonly label: string;
  /** For a button that switches something: whether it is on. */
  readonly pressed?: boolean;
  readonly onPress: () => void;
}) {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // The component knows no pressed state; its inner button is what assistive technology meets.
    const inner = element.current?.shadowRoot?.querySelector('button');
    if (props.pressed !== undefined) {
      inner?.setAttribute('aria-pressed', String(props.pressed));
    }
  });
  return (
    <vscode-toolbar-button
      ref={element}
      class={props.pressed === true ? 'pressed' : ''}
      icon={props.icon}
      label={props.label}
      title={props.label}
      onClick={props.onPress}
    />
  );
}

export function ProgressRing() {
  return <vscode-progress-ring />;
}

/** A field that filters as one types; Escape empties it. */
export function SearchField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Called with ArrowDown, and with Escape where it is empty, to go on to what was found. */
  readonly onLeave: () => void;
  /** Called with Enter: to the next thing that was found, or with Shift to the one before. */
  readonly onStep?: (by: -1 | 1) => void;
  /** For a key that hands the focus to the field. */
  readonly focusRef?: RefObject<{ readonly focus: () => void } | null>;
}) {
  const element = useRef<HTMLElement & { value: string }>(null);
  if (props.focusRef !== undefined) {
    props.focusRef.current = { focus: () => element.current?.focus() };
  }
  return (
    <vscode-textfield
      ref={element}
      class="search"
      label={props.label}
      placeholder={props.label}
      value={props.value}
      onInput={() => props.onChange(element.current?.value ?? '')}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && props.value !== '') {
          event.preventDefault();
          props.onChange('');
        } else if (event.key === 'ArrowDown' || event.key === 'Escape') {
          event.preventDefault();
          props.onLeave();
        } else if (event.key === 'Enter' && props.onStep !== undefined) {
          event.preventDefault();
          props.onStep(event.shiftKey ? -1 : 1);
        }
      }}
    />
  );
}

export function Icon(props: { readonly name: string; readonly label?: string }) {
  return props.label === undefined ? (
    <span class={`codicon codicon-${props.name}`} aria-hidden="true" />
  ) : (
    <span class={`codicon codicon-${props.name}`} role="img" aria-label={props.label} title={props.label} />
  );
}
