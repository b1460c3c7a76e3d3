// Sessions and hosts of runs, and of log directories that other tools wrote, as they stand in the tree.

import path from 'node:path';
import * as vscode from 'vscode';
import { byteSize } from '../../webview/shared/text/format';
import type { HostRecord, LogDirectoryRecord, OpenedRun, RunRecord, SessionRecord } from '../protocol';
import { relativeTime } from './runText';
import { windowName } from './windowText';

/** A log directory that is no run, here or on a server. */
export interface DirectoryNode {
  readonly kind: 'directory';
  readonly directory: LogDirectoryRecord;
}

/** A session of a run or of a log directory. */
export interface SessionNode {
  readonly kind: 'session';
  readonly session: SessionRecord;
}

/** A host of a session. */
export interface HostNode {
  readonly kind: 'host';
  readonly host: HostRecord;
  /** The session's path: hosts of two sessions have one name. */
  readonly session: string;
}

/** The sessions of a run where there is something to choose: one session of one host is the run itself. */
export function sessionsOfRun({ sessions }: RunRecord): SessionNode[] {
  const isChoice = sessions.length > 1 || sessions.some(({ hosts }) => hosts.length > 1);
  return isChoice ? sessionNodes(sessions) : [];
}

export function sessionNodes(sessions: readonly SessionRecord[]): SessionNode[] {
  return sessions.map((session) => ({ kind: 'session', session }));
}

export function hostNodes({ session }: SessionNode): HostNode[] {
  return session.hosts.length < 2 ? [] : session.hosts.map((host) => ({ kind: 'host', host, session: session.path }));
}

/** How a log directory looks in the tree; its newest session opens with it. */
export function directoryItem({ directory }: DirectoryNode, shown: OpenedRun | null): vscode.TreeItem {
  const count = directory.sessions.length;
  const facts = [
    isShown(directory.path, shown) ? vscode.l10n.t('shown') : null,
    count === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{0} sessions', count),
    folderAbove(directory.path),
  ];
  return opening(
    { id: `directory ${directory.path}`, name: nameOf(directory.path), path: directory.path, icon: 'graph-line' },
    facts,
    vscode.TreeItemCollapsibleState.Collapsed,
  );
}

export function sessionItem({ session }: SessionNode, shown: OpenedRun | null): vscode.TreeItem {
  const { window } = session;
  const shows = isShown(session.path, shown) || isWindowShown(session.path, shown);
  const name = window === null ? session.name : windowName(window, vscode.env.language);
  const facts = [
    shows ? vscode.l10n.t('shown') : null,
    session.ended === null ? null : relativeTime(new Date(session.ended), new Date(), vscode.env.language),
    session.hosts.length === 1 ? vscode.l10n.t('1 host') : vscode.l10n.t('{0} hosts', session.hosts.length),
    session.folders === 1 ? null : vscode.l10n.t('in {0} folders', session.folders),
    session.size_bytes === null ? null : byteSize(session.size_bytes),
  ];
  return opening(
    { id: `session ${session.path}`, name, path: session.path, icon: shows ? 'eye' : 'history' },
    facts,
    session.hosts.length > 1 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
}

export function hostItem({ host, session }: HostNode, shown: OpenedRun | null): vscode.TreeItem {
  const shows = host.path !== null && isShown(host.path, shown);
  const facts = [
    shows ? vscode.l10n.t('shown') : null,
    host.path === null ? vscode.l10n.t('recorded in parts: opens with its session') : null,
    host.size_bytes === null ? null : byteSize(host.size_bytes),
  ];
  return opening(
    { id: `host ${session} ${host.name}`, name: host.name, path: host.path, icon: shows ? 'eye' : 'server' },
    facts,
    vscode.TreeItemCollapsibleState.None,
  );
}

/** The last part of a path or an address. */
export function nameOf(place: string): string {
  return path.posix.basename(place.replaceAll('\\', '/').replace(/\/+$/u, '')) || place;
}

/** Whether a text is the address of something on a server. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//iu.test(text);
}

function folderAbove(place: string): string {
  return isAddress(place) ? place : path.basename(path.dirname(place));
}

function isShown(place: string, shown: OpenedRun | null): boolean {
  const wanted = place.replace(/\/+$/u, '');
  return shown !== null && (shown.path === place || shown.address?.replace(/\/+$/u, '') === wanted);
}

/** Whether a window is what is shown of its run, which may have been opened without saying which. */
function isWindowShown(session: string, shown: OpenedRun | null): boolean {
  return shown?.session === session && isOfRun(session, shown.path);
}

/** Whether a path is a run's, or of something in it. */
export function isOfRun(place: string, run: string): boolean {
  return place === run || place.startsWith(run + path.sep);
}

function opening(
  { id, name, path: place, icon }: Record<'id' | 'name' | 'icon', string> & { readonly path: string | null },
  facts: readonly (string | null)[],
  state: vscode.TreeItemCollapsibleState,
): vscode.TreeItem {
  const item = new vscode.TreeItem(name, state);
  const description = facts.filter((fact) => fact !== null && fact !== '').join(' · ');
  item.id = id;
  item.description = description;
  item.tooltip = place ?? name;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.contextValue = 'logs';
  item.accessibilityInformation = { label: `${name}, ${description}` };
  if (place !== null) {
    item.command = { command: 'scopelight.openRun', title: vscode.l10n.t('Open Profile'), arguments: [place] };
  }
  return item;
}
