// The states that every panel may be in besides showing its record.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageCommand } from '../../../src/panels/messages';
import { commandLabel } from '../findings/actions';
import { Button, Icon, ProgressRing } from '../controls/elements';
import { usePage } from './page';
import { Prose } from '../text/prose';
import type { Progress } from './rpc';

/** How long work may take before it is worth a word. */
export const PATIENCE_MS = 300;

function State(props: { readonly role: 'status' | 'alert'; readonly children: ComponentChildren }) {
  return (
    <div class="state" role={props.role}>
      {props.children}
    </div>
  );
}

/** What is being done and how far it is; nothing at all for as long as a person would not wait. */
export function Loading(props: {
  readonly what: string;
  readonly progress: Progress | null;
  readonly onCancel?: () => void;
}) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) {
    return <div class="state" aria-busy="true" />;
  }
  const { message = null, percentage = null } = props.progress ?? {};
  return (
    <State role="status">
      <ProgressRing />
      <p>
        {message ?? props.what}
        {percentage === null ? '' : ` ${percentage} %`}
      </p>
      {props.onCancel === undefined ? null : (
        <div class="buttons">
          <Button label={l10n.t('Cancel')} secondary onPress={props.onCancel} />
        </div>
      )}
    </State>
  );
}

/** Why there is nothing, and what to do about it. */
export function Empty(props: {
  readonly reason: string;
  readonly remedy?: string;
  /** The commands that help, the first before all. */
  readonly remedies?: readonly PageCommand[];
}) {
  const { host } = usePage();
  return (
    <State role="status">
      <p class="reason">
        <Prose text={props.reason} />
      </p>
      {(props.remedy ?? '') === '' ? null : (
        <p class="remedy">
          <Prose text={props.remedy ?? ''} />
        </p>
      )}
      <div class="buttons">
        {props.remedies?.map((command, position) => (
          <Button
            key={command}
            label={commandLabel(command)}
            secondary={position > 0}
            onPress={() => host.run(command)}
          />
        ))}
      </div>
    </State>
  );
}

/** One sentence, the log, and another attempt. */
export function Failed(props: { readonly sentence: string; readonly onTryAgain: () => void }) {
  const { host } = usePage();
  return (
    <State role="alert">
      <p class="reason">
        <Icon name="error" /> <Prose text={props.sentence} />
      </p>
      <div class="buttons">
        <Button label={commandLabel('scopelight.showLog')} onPress={() => host.run('scopelight.showLog')} />
        <Button label={l10n.t('Try Again')} secondary onPress={props.onTryAgain} />
      </div>
    </State>
  );
}

export type NoticeKind = 'partial' | 'stale' | 'disconnected' | 'failed';

const noticeIcons: Readonly<Record<NoticeKind, string>> = {
  partial: 'warning',
  stale: 'history',
  disconnected: 'debug-disconnect',
  failed: 'error',
};

/** One line above what is shown, that says what is wrong with it. */
export function Notice(props: { readonly kind: NoticeKind; readonly text: string }) {
  return (
    <div class={`notice ${props.kind}`} role="status">
      <Icon name={noticeIcons[props.kind]} />
      <span>
        <Prose text={props.text} />
      </span>
    </div>
  );
}
