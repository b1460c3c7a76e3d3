// The commands that the buttons of a page run: how they are named, and which of them helps with a finding.

import * as l10n from '@vscode/l10n';
import type { HostFacts, PAGE_COMMANDS, PageCommand } from '../../../src/panels/messages';
import { openCommand, panelOf, panelOpenedBy } from '../../../src/panels/panelList';
import { panels } from '../../../src/panels/registry';
import type { Action, Finding } from '../../../src/protocol';

const COMMANDS: Readonly<Partial<Record<string, PageCommand>>> = {
  'profile-script': 'scopelight.profile',
  'set-peaks': 'scopelight.setPeaks',
  'set-target': 'scopelight.setTarget',
  'set-resources-period': 'scopelight.setResourcesPeriod',
};

/** The command that does what the daemon says that helps; null where the editor has none. */
export function commandOf(action: Action | null): PageCommand | null {
  if (action?.command !== 'show-view') {
    return COMMANDS[action?.command ?? ''] ?? null;
  }
  const shown = panelOf(action.arguments['view']);
  return shown === undefined ? null : openCommand(shown);
}

/** Findings of a part of a run in which nothing ran, which another part may have. */
const OF_SCOPE: readonly string[] = ['no-op-in-steps', 'no-op-outside-steps'];

/** The command that helps with a finding; null where the editor has none. */
export function remedyOf(finding: Finding | null): PageCommand | null {
  return finding !== null && OF_SCOPE.includes(finding.code)
    ? 'scopelight.selectScope'
    : commandOf(finding?.action ?? null);
}

/** Whether a page can have a command run: one in a report leads to other pages alone. */
export function canRun(command: PageCommand, facts: HostFacts | null): boolean {
  return facts?.isReport !== true || panelOpenedBy(command) !== undefined;
}

/** A command by the name of its button. */
export function commandLabel(command: PageCommand): string {
  const opened = panelOpenedBy(command);
  return opened === undefined
    ? {
        'scopelight.profile': l10n.t('Profile a Training Script'),
        'scopelight.openProfile': l10n.t('Open a Profile'),
        'scopelight.selectRun': l10n.t('Select Run'),
        'scopelight.selectScope': l10n.t('Choose What Is Looked At'),
        'scopelight.setPeaks': l10n.t('Set Peaks'),
        'scopelight.setTarget': l10n.t('Choose a Target'),
        'scopelight.setResourcesPeriod': l10n.t('Set the Period of Readings'),
        'scopelight.besidePrediction': l10n.t('Beside the Prediction'),
        'scopelight.compareWith': l10n.t('Compare with…'),
        'scopelight.profileAgainAndCompare': l10n.t('Profile Again and Compare'),
        'scopelight.stopComparing': l10n.t('Stop Comparing'),
        'scopelight.installDaemon': l10n.t('Install Daemon'),
        'scopelight.installQueries': l10n.t('Install DuckDB'),
        'scopelight.restartDaemon': l10n.t('Restart Daemon'),
        'scopelight.showLog': l10n.t('Show Log'),
      }[command as (typeof PAGE_COMMANDS)[number]]
    : l10n.t('Show {0}', panels[opened].title());
}
