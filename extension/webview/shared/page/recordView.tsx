// A panel's record or, where there is none, why: every panel's content is `<RecordView>`.

import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PanelManifest } from '../../../src/panels/manifest';
import type { HostFacts, PageCommand } from '../../../src/panels/messages';
import { openCommand, panelsWithoutTimes } from '../../../src/panels/panelList';
import type { PanelId } from '../../../src/panels/registry';
import type { Finding, OpenedRun, Views, ViewId } from '../../../src/protocol';
import { usePage } from './page';
import { type Fetched, ReadTime, useRecord } from './record';
import { remedyOf } from '../findings/actions';
import { Cancelled, Empty, Failed, Loading, Notice } from './states';
import { showBasisOf } from '../text/basis';

/** Fetches the record of a panel and shows it by `show`, unless a finding says why there is nothing to show. */
export function RecordView<View extends ViewId>(props: {
  readonly panel: PanelManifest<View>;
  readonly params: Views[View]['params'];
  /** Whether there is nothing to show, where that is not the same as a finding that says so. */
  readonly isEmpty?: (view: Views[View]['result']) => boolean;
  readonly show: (record: Views[View]['result']) => ComponentChildren;
  /** What helps where it could not be read, besides another attempt. */
  readonly remedies?: readonly PageCommand[];
  /** For a record that is still being made: after how long to ask for it again; null when it is whole. */
  readonly askAgain_ms?: (record: Views[View]['result']) => number | null;
}) {
  const { panel, host, path } = usePage();
  const facts = host.facts.value;
  const fetched = useRecord(props.panel, props.params);
  const again_ms =
    fetched.value === null || fetched.state !== 'ready' ? null : (props.askAgain_ms?.(fetched.value) ?? null);
  useEffect(() => {
    if (again_ms === null) {
      return undefined;
    }
    const timer = setTimeout(fetched.fetchAgain, again_ms);
    return () => clearTimeout(timer);
  }, [fetched.value, again_ms]);
  if (facts === null) {
    return null;
  }
  if ((path !== null || facts.shownRun !== null) && fetched.value !== null) {
    const view = fetched.value;
    showBasisOf(view.run);
    const why = view.record.findings.find(({ severity }) => severity === 'empty') ?? null;
    const isEmpty = props.isEmpty?.(view) ?? why !== null;
    return (
      <>
        <WhatIsWrong facts={facts} failure={fetched.failure} />
        {isEmpty ? (
          <main>
            <Empty
              reason={why?.text ?? l10n.t('There is nothing to show.')}
              remedy={why?.remedy ?? ''}
              remedies={remediesOf(why, path === null ? otherPanels(panel, facts.shownRun) : [])}
            />
          </main>
        ) : (
          <ReadTime.Provider value={fetched.took_ms}>{props.show(view)}</ReadTime.Provider>
        )}
      </>
    );
  }
  return (
    <main>
      <NoRecord facts={facts} fetched={fetched} remedies={props.remedies ?? []} />
    </main>
  );
}

/** What a finding's own action does, then the ways to what else there is, each once. */
function remediesOf(finding: Finding | null, others: readonly PageCommand[]): readonly PageCommand[] {
  const own = remedyOf(finding);
  return [...new Set(own === null ? others : [own, ...others])];
}

/** The ways to panels that have something of a run without times, and to other profiles. */
function otherPanels(panel: PanelId, run: OpenedRun | null): readonly PageCommand[] {
  if (run === null || !(run.never_ran || run.memory_alone)) {
    return [];
  }
  const others = panelsWithoutTimes(run).filter((id) => id !== panel);
  return [...others.map(openCommand), 'scopelight.openProfile'];
}

function WhatIsWrong(props: { readonly facts: HostFacts; readonly failure: string | null }) {
  const { daemonState, isFileGone } = props.facts;
  if (daemonState === 'restarting' || daemonState === 'starting') {
    return <Notice kind="disconnected" text={l10n.t('The daemon is restarting. What is shown is from before.')} />;
  }
  if (daemonState !== 'running') {
    return <Notice kind="disconnected" text={l10n.t('The daemon is not running. What is shown is from before.')} />;
  }
  if (isFileGone) {
    return <Notice kind="stale" text={l10n.t('This file was deleted. What is shown is as it was read.')} />;
  }
  return props.failure === null ? null : <Notice kind="failed" text={props.failure} />;
}

function NoRecord(props: {
  readonly facts: HostFacts;
  readonly fetched: Fetched<unknown>;
  readonly remedies: readonly PageCommand[];
}) {
  const { facts, fetched } = props;
  const { path } = usePage();
  const title = path === null ? facts.shownRun?.title : path.replace(/^.*[\\/]/, '');
  switch (facts.daemonState) {
    case 'missing':
      return (
        <Empty
          reason={l10n.t('The daemon that reads profiles is not installed.')}
          remedies={['scopelight.installDaemon']}
        />
      );
    case 'refused':
      return (
        <Empty
          reason={l10n.t('The installed daemon is of another version than this extension.')}
          remedies={['scopelight.installDaemon', 'scopelight.showLog']}
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
  if (title === undefined) {
    const commands = ['scopelight.openProfile', 'scopelight.selectRun'] as const;
    return (
      <Empty
        reason={l10n.t('No run is shown.')}
        remedies={facts.trusted ? ['scopelight.profile', ...commands] : commands}
      />
    );
  }
  if (facts.daemonState === 'stopped' && path === null) {
    return (
      <Empty reason={l10n.t('The daemon has stopped.')} remedies={['scopelight.restartDaemon', 'scopelight.showLog']} />
    );
  }
  switch (fetched.state) {
    case 'failed':
      return <Failed sentence={fetched.failure ?? ''} onTryAgain={fetched.fetchAgain} remedies={props.remedies} />;
    case 'cancelled':
      return <Cancelled onTryAgain={fetched.fetchAgain} />;
    default:
      return <Loading what={l10n.t('Reading {0}…', title)} progress={fetched.progress} onCancel={fetched.cancel} />;
  }
}
