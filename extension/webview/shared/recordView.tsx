// A panel's record or, where there is none, why: every panel's content is `<RecordView>`.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { HostFacts, PanelId } from '../../src/panels/messages';
import type { Panels } from '../../src/protocol';
import { Button } from './elements';
import { usePage } from './page';
import { type Fetched, useRecord } from './record';
import { Empty, Failed, Loading, Notice } from './states';

export interface EmptyRecord {
  readonly reason: string;
  readonly remedy: string | null;
}

/** Fetches the record of a panel and shows it by `show`, unless `empty` says why there is nothing to show. */
export function RecordView<Id extends PanelId>(props: {
  readonly panel: Id;
  readonly params: Panels[Id]['params'];
  readonly empty: (record: Panels[Id]['result']) => EmptyRecord | null;
  readonly show: (record: Panels[Id]['result'], took_ms: number | null) => ComponentChildren;
}) {
  const { host } = usePage();
  const facts = host.facts.value;
  const fetched = useRecord(props.panel, props.params);
  if (facts === null) {
    return null;
  }
  if (facts.shownRun !== null && fetched.value !== null) {
    const empty = props.empty(fetched.value);
    return (
      <>
        <WhatIsWrong facts={facts} failure={fetched.failure} />
        {empty === null ? (
          props.show(fetched.value, fetched.took_ms)
        ) : (
          <Empty reason={empty.reason} remedy={empty.remedy} />
        )}
      </>
    );
  }
  return <NoRecord facts={facts} fetched={fetched} />;
}

function WhatIsWrong(props: { readonly facts: HostFacts; readonly failure: string | null }) {
  const { daemonState } = props.facts;
  if (daemonState === 'restarting' || daemonState === 'starting') {
    return <Notice kind="disconnected" text={l10n.t('The daemon is restarting. What is shown is from before.')} />;
  }
  if (daemonState !== 'running') {
    return <Notice kind="disconnected" text={l10n.t('The daemon is not running. What is shown is from before.')} />;
  }
  return props.failure === null ? null : <Notice kind="failed" text={props.failure} />;
}

function NoRecord(props: { readonly facts: HostFacts; readonly fetched: Fetched<unknown> }) {
  const { facts, fetched } = props;
  switch (facts.daemonState) {
    case 'missing':
      return (
        <Empty
          reason={l10n.t('The daemon that reads profiles is not installed.')}
          remedies={[{ label: l10n.t('Install Daemon'), command: 'scopelight.installDaemon' }]}
        />
      );
    case 'refused':
      return (
        <Empty
          reason={l10n.t('The installed daemon is of another version than this extension.')}
          remedies={[
            { label: l10n.t('Install Daemon'), command: 'scopelight.installDaemon' },
            { label: l10n.t('Show Log'), command: 'scopelight.showLog' },
          ]}
        />
      );
    case 'restarting':
      return <Loading what={l10n.t('The daemon is restarting…')} progress={null} />;
    case 'starting':
      return <Loading what={l10n.t('Starting the daemon…')} progress={null} />;
    case 'running':
    case 'stopped':
      break;
  }
  if (facts.shownRun === null) {
    const profile = { label: l10n.t('Profile a Training Script'), command: 'scopelight.profile' } as const;
    return (
      <Empty
        reason={l10n.t('No run is shown.')}
        remedies={[
          ...(facts.trusted ? [profile] : []),
          { label: l10n.t('Open a Profile'), command: 'scopelight.openProfile' },
          { label: l10n.t('Select Run'), command: 'scopelight.selectRun' },
        ]}
      />
    );
  }
  if (facts.daemonState === 'stopped') {
    return (
      <Empty
        reason={l10n.t('The daemon has stopped.')}
        remedies={[
          { label: l10n.t('Restart Daemon'), command: 'scopelight.restartDaemon' },
          { label: l10n.t('Show Log'), command: 'scopelight.showLog' },
        ]}
      />
    );
  }
  switch (fetched.state) {
    case 'failed':
      return <Failed sentence={fetched.failure ?? ''} onTryAgain={fetched.fetchAgain} />;
    case 'cancelled':
      return <Cancelled onTryAgain={fetched.fetchAgain} />;
    default:
      return (
        <Loading
          what={l10n.t('Reading {0}…', facts.shownRun.title)}
          progress={fetched.progress}
          onCancel={fetched.cancel}
        />
      );
  }
}

function Cancelled(props: { readonly onTryAgain: () => void }) {
  return (
    <div class="state" role="status">
      <p class="reason">{l10n.t('Reading this record was cancelled.')}</p>
      <div class="buttons">
        <Button label={l10n.t('Try Again')} onPress={props.onTryAgain} />
      </div>
    </div>
  );
}
