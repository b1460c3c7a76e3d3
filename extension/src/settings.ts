import path from 'node:path';
import * as vscode from 'vscode';
import type { AnnotationMode, Scope, Settings } from './protocol';
import { SCOPES } from './runs/scopeWords';

const SECTION = 'scopelight';

/** What annotations can say, in the order in which people choose. */
export const ANNOTATION_MODES: readonly AnnotationMode[] = ['time', 'phases', 'flops', 'padding', 'memory', 'change'];

/** Where annotations stand: after the end of their line, at one column of the file, or left of the code. */
export type AnnotationPlace =
  { readonly position: 'afterLine' | 'beforeLine' } | { readonly position: 'column'; readonly column: number };

const DEFAULT_COLUMN = 90;
/** Further right than this an annotation is out of sight in most windows. */
const GREATEST_COLUMN = 160;

/** Which Python runs the daemon: one in an environment of its own, or the one that runs the user's scripts. */
export type EnvironmentKind = 'own' | 'interpreter';

function get<T>(key: string, fallback: T): T {
  return vscode.workspace.getConfiguration(SECTION).get<T>(key, fallback);
}

/** A setting given in percent, as a ratio from 0 to 1. */
function ratio(key: string, fallbackPercent: number): number {
  return Math.min(Math.max(get(key, fallbackPercent), 0), 100) / 100;
}

/** A rate in another unit; -1 where the value is none, which the daemon leaves out, and says so. */
function rate(value: unknown, unit: number): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value * unit) ? value * unit : -1;
}

/** The user's own peaks in FLOP/s by element type; null where there are none. */
function peakFlops(): Record<string, number> | null {
  const peaks: Record<string, number> = {};
  for (const [type, value] of Object.entries(get<Record<string, unknown> | null>('peakFlops', null) ?? {})) {
    peaks[type.toLowerCase()] = rate(value, 1e12);
  }
  return Object.keys(peaks).length > 0 ? peaks : null;
}

/** The user's own bandwidth in bytes/s; null where there is none, which 0 stands for. */
function peakBandwidth(): number | null {
  const value = get<unknown>('peakBandwidth', 0);
  return value === 0 || value === null ? null : rate(value, 1e9);
}

/** Where recorded folders are here; null where nothing is said of any. */
function sourceFolders(): Record<string, string> | null {
  const said = Object.entries(get<Record<string, unknown> | null>('sourceFolders', null) ?? {});
  const folders = said.filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '');
  return folders.length > 0 ? Object.fromEntries(folders) : null;
}

/** Keeps where a recorded folder is on this machine: for the user, unless the workspace says something else of it. */
export async function setSourceFolder(recorded: string, folder: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const { globalValue, workspaceValue } = settings.inspect<Record<string, string>>('sourceFolders') ?? {};
  const isOfWorkspace = workspaceValue?.[recorded] !== undefined;
  await settings.update(
    'sourceFolders',
    { ...(isOfWorkspace ? workspaceValue : globalValue), [recorded]: folder },
    isOfWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
  );
}

/** What annotations say; one that does not exist is the default. */
export function annotationMode(): AnnotationMode {
  const mode = get<string>('annotations.mode', 'time');
  return ANNOTATION_MODES.find((known) => known === mode) ?? 'time';
}

/**
 * Where annotations of a document stand; a place that does not exist is the default. Where lines are wrapped the editor
 * knows of no room left of the code, and an annotation far behind the end of a line is out of sight.
 */
export function annotationPlace(document: vscode.ConfigurationScope): AnnotationPlace {
  const wraps = vscode.workspace.getConfiguration('editor', document).get<string>('wordWrap', 'off') !== 'off';
  if (wraps) {
    return { position: 'afterLine' };
  }
  const position = get<string>('annotations.position', 'afterLine');
  if (position === 'column') {
    const column = get<unknown>('annotations.column', DEFAULT_COLUMN);
    const isColumn = typeof column === 'number' && column >= 0;
    return { position, column: isColumn ? Math.min(Math.trunc(column), GREATEST_COLUMN) : DEFAULT_COLUMN };
  }
  return { position: position === 'beforeLine' ? position : 'afterLine' };
}

/** What of a run is looked at everywhere; one that does not exist is the default. */
export function scopeSetting(): Scope {
  const scope = get<string>('scope', 'steps');
  return SCOPES.find((known) => known === scope) ?? 'steps';
}

/** The settings of the daemon, in its own units. Inlay hints are for editors without annotations of ours. */
export function daemonSettings(): Settings {
  return {
    annotations: annotationsEnabled(),
    mode: annotationMode(),
    scope: scopeSetting(),
    threshold_ratio: ratio('annotations.threshold', 1),
    most_lines: Math.max(0, Math.trunc(get('annotations.mostLines', 20))),
    inclusive_ratio: ratio('annotations.inclusiveThreshold', 10),
    target: get<string>('target', '') || null,
    padding_waste_ratio: ratio('padding.wasteThreshold', 10),
    padding_share_ratio: ratio('padding.shareThreshold', 1),
    advice: get('advice.diagnostics', true),
    budgets: get('budgets.diagnostics', true),
    peak_flops_per_s: peakFlops(),
    peak_bytes_per_s: peakBandwidth(),
    code_lenses: get('codeLens.enabled', false),
    inlay_hints: false,
    source_folders: sourceFolders(),
  };
}

export function environmentKind(): EnvironmentKind {
  return get<string>('daemon.environment', 'own') === 'interpreter' ? 'interpreter' : 'own';
}

/** Keeps the choice for the user, in every folder. */
export async function chooseEnvironmentKind(kind: EnvironmentKind): Promise<void> {
  await vscode.workspace
    .getConfiguration(SECTION)
    .update('daemon.environment', kind, vscode.ConfigurationTarget.Global);
}

/** The interpreter as the user wrote it, for the folder of `resource`; empty where none is set. */
export function interpreterSetting(resource: vscode.Uri | undefined): string {
  return vscode.workspace.getConfiguration(SECTION, resource).get('interpreter', '').trim();
}

/** Keeps an interpreter for the scripts of a resource: for its folder, or for the user where it is in none. */
export async function chooseInterpreter(python: string, resource: vscode.Uri | undefined): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const own = (resource && vscode.workspace.getWorkspaceFolder(resource)) ?? (resource ? undefined : folders[0]);
  const inside = own === undefined ? python : path.relative(own.uri.fsPath, python);
  const isInside = own !== undefined && !inside.startsWith('..') && !path.isAbsolute(inside);
  const value = isInside ? ['${workspaceFolder}', ...inside.split(path.sep)].join('/') : python;
  const { ConfigurationTarget } = vscode;
  const ofWorkspace = folders.length > 1 ? ConfigurationTarget.WorkspaceFolder : ConfigurationTarget.Workspace;
  const settings = vscode.workspace.getConfiguration(SECTION, own?.uri ?? null);
  await settings.update('interpreter', value, own === undefined ? ConfigurationTarget.Global : ofWorkspace);
}

/** The settings, and groups of settings, that the daemon is told. */
export const DAEMON_SETTINGS = [
  'annotations',
  'scope',
  'codeLens',
  'target',
  'padding',
  'advice',
  'budgets',
  'peakFlops',
  'peakBandwidth',
  'sourceFolders',
];

/** Whether a change touches one of the settings, or of the groups of them, by their names without our own. */
export function affects(change: vscode.ConfigurationChangeEvent, ...keys: readonly string[]): boolean {
  return keys.some((key) => change.affectsConfiguration(`${SECTION}.${key}`));
}

/** Changes a setting where it is set: in the workspace's settings only where those have it already. */
export async function changeSetting(key: string, value: string | boolean | readonly string[]): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  if (settings.get(key) === value) {
    return;
  }
  const isOfWorkspace = settings.inspect(key)?.workspaceValue !== undefined;
  await settings.update(
    key,
    value,
    isOfWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
  );
}

/** Addresses of log directories on servers that are in the list. */
export function remoteFolders(): readonly string[] {
  const said: unknown = get<unknown>('runs.remoteFolders', []);
  return Array.isArray(said) ? said.filter((each): each is string => typeof each === 'string' && each !== '') : [];
}

/** Keeps them, for the user unless the workspace says something else. */
export async function setRemoteFolders(addresses: readonly string[]): Promise<void> {
  await changeSetting('runs.remoteFolders', addresses);
}

/** Whether annotations stand in the text. */
export function annotationsEnabled(): boolean {
  return get('annotations.enabled', true);
}

/** The TPU that scripts are compiled for; empty: it is asked each time. */
export function preflightTpu(): string {
  return get<string>('preflight.tpu', '').trim();
}

/** Whether a script computes while its programs are compiled for a TPU. */
export function preflightObserves(): boolean {
  return get('preflight.observe', false);
}

/** Whether Hot Lines comes into view at the end of a capture. */
export function showsHotLines(): boolean {
  return get('capture.showHotLines', true);
}

/** Whether Overview opens at the end of a capture. */
export function showsOverview(): boolean {
  return get('capture.showOverview', true);
}

/** The manifest of the extension, as far as it lists settings. */
export interface SettingsManifest {
  readonly contributes: { readonly configuration: readonly { readonly properties: object }[] };
}

/** Every setting of the manifest with the value in force, one line each, for a report of a fault. */
export function describeSettings({ contributes }: SettingsManifest): string[] {
  return contributes.configuration
    .flatMap(({ properties }) => Object.keys(properties))
    .map((key) => `${key}: ${JSON.stringify(get<unknown>(key.slice(SECTION.length + 1), null))}`);
}
