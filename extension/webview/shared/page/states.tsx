// The states that every panel may be in besides showing its record.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ProgressReport } from '../../../src/daemon/connection';
import type { PageCommand } from '../../../src/panels/messages';
import { canRun, commandLabel } from '../findings/actions';
import { Button, Icon, ProgressRing } from '../controls/elements';
import { usePage } from './page';
import { Prose } from '../text/prose';

/** How long work may take before it is worth a word. */
export const PATIENCE_MS = 300;

interface StateButton {
  readonly label: string;
  readonly press: () => void;
}

/** What there is to say, and what can be done about it: the first before all, unless that is to give up. */
function State(props: {
  readonly role: 'status' | 'alert';
  readonly buttons: readonly StateButton[];
  readonly isGivingUp?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="state" role={props.role}>
      {props.children}
      <div class="buttons">
        {props.buttons.map(({ label, press }, position) => (
          <Button key={label} label={label} secondary={position > 0 || props.isGivingUp === true} onPress={press} />
        ))}
      </div>
    </div>
  );
}

/** What is being done and how far it is; nothing at all for as long as a person would not wait. */
export function Loading(props: {
  readonly what: string;
  readonly progress: ProgressReport | null;
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
  const { message, percentage } = props.progress ?? {};
  const cancel = props.onCancel === undefined ? [] : [{ label: l10n.t('Cancel'), press: props.onCancel }];
  return (
    <State role="status" buttons={cancel} isGivingUp>
      <ProgressRing />
      <p>
        {message ?? props.what}
        {percentage === undefined ? '' : ` ${percentage} %`}
      </p>
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
  const commandButtons = useCommandButtons();
  return (
    <State role="status" buttons={commandButtons(props.remedies ?? [])}>
      <p class="reason">
        <Prose text={props.reason} />
      </p>
      {(props.remedy ?? '') === '' ? null : (
        <p class="remedy">
          <Prose text={props.remedy ?? ''} />
        </p>
      )}
    </State>
  );
}

/** One sentence, the log, another attempt, and what else there is to do. */
export function Failed(props: {
  readonly sentence: string;
  readonly onTryAgain: () => void;
  readonly remedies?: readonly PageCommand[];
}) {
  const isReport = usePage().host.facts.value?.isReport === true;
  const commandButtons = useCommandButtons();
  const showLog = commandButtons(['scopelight.showLog']);
  // What a report holds is the same at every try.
  const tryAgain = isReport ? [] : [{ label: l10n.t('Try Again'), press: props.onTryAgain }];
  return (
    <State role="alert" buttons={[...showLog, ...tryAgain, ...commandButtons(props.remedies ?? [])]}>
      <p class="reason">
        <Icon name="error" /> <Prose text={props.sentence} />
      </p>
    </State>
  );
}

/** The reading was cancelled: another attempt. */
export function Cancelled(props: { readonly onTryAgain: () => void }) {
  return (
    <State role="status" buttons={[{ label: l10n.t('Try Again'), press: props.onTryAgain }]}>
      <p class="reason">{l10n.t('Reading this record was cancelled.')}</p>
    </State>
  );
}

/** Buttons for those commands that can be run. */
function useCommandButtons(): (commands: readonly PageCommand[]) => readonly StateButton[] {
  const { host } = usePage();
  return (commands) =>
    commands
      .filter((command) => canRun(command, host.facts.value))
      .map((command) => ({ label: commandLabel(command), press: () => host.run(command) }));
}

export type NoticeKind = 'partial' | 'stale' | 'disconnected' | 'failed';

const noticeIcons: Readonly<Record<NoticeKind, string>> = {
  partial: 'warning',
  stale: 'history',
  disconnected: 'debug-disconnect',
  failed: 'error',
};

function NoticeLine(props: { readonly kind: NoticeKind; readonly children: ComponentChildren }) {
  return (
    <div class={`notice ${props.kind}`} role="status">
      <Icon name={noticeIcons[props.kind]} />
      {props.children}
    </div>
  );
}

/** One line above what is shown, that says what is wrong with it. */
export function Notice(props: { readonly kind: NoticeKind; readonly text: string }) {
  return (
    <NoticeLine kind={props.kind}>
      <span>
        <Prose text={props.text} />
      </span>
    </NoticeLine>
  );
}

/** What makes numbers doubtful, above what has little room: its first lines, and all of it once it is pressed. */
export function FoldedNotice(props: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <NoticeLine kind="partial">
      <button
        type="button"
        class="notice-text"
        aria-expanded={isOpen}
        title={isOpen ? undefined : props.text}
        onClick={() => setOpen(!isOpen)}
      >
        <Prose text={props.text} />
      </button>
    </NoticeLine>
  );
}
