import type { ConfigurationScope } from 'vscode';
import { beforeEach, expect, test } from 'vitest';
import { annotationPlace, daemonSettings, describeSettings, environmentKind } from '../../extension/src/settings';
import manifest from '../../package.json';
import { changeSetting, resetFake } from './vscode';

const document = { uri: undefined, languageId: 'python' } as unknown as ConfigurationScope;

beforeEach(resetFake);

test('what the daemon is told without settings is what the manifest promises', () => {
  const defaults = Object.assign(
    {},
    ...manifest.contributes.configuration.map((section) => section.properties),
  ) as unknown as Record<string, { default: unknown }>;
  const percent = (key: string) => (defaults[key]?.default as number) / 100;
  expect(daemonSettings()).toEqual({
    annotations: defaults['scopelight.annotations.enabled']?.default,
    mode: defaults['scopelight.annotations.mode']?.default,
    scope: defaults['scopelight.scope']?.default,
    threshold_ratio: percent('scopelight.annotations.threshold'),
    most_lines: defaults['scopelight.annotations.mostLines']?.default,
    inclusive_ratio: percent('scopelight.annotations.inclusiveThreshold'),
    target: null,
    padding_waste_ratio: percent('scopelight.padding.wasteThreshold'),
    padding_share_ratio: percent('scopelight.padding.shareThreshold'),
    advice: defaults['scopelight.advice.diagnostics']?.default,
    budgets: defaults['scopelight.budgets.diagnostics']?.default,
    peak_flops_per_s: null,
    peak_bytes_per_s: null,
    code_lenses: defaults['scopelight.codeLens.enabled']?.default,
    inlay_hints: false,
    source_folders: null,
  });
  expect(environmentKind()).toBe(defaults['scopelight.daemon.environment']?.default);
  changeSetting('scopelight.target', 'TPU v5e');
  const described = describeSettings(manifest);
  expect(described).toContain('scopelight.target: "TPU v5e"');
  expect(described).toHaveLength(Object.keys(defaults).length);
});

test('percent become ratios, and values out of range the nearest that has a meaning', () => {
  changeSetting('scopelight.annotations.threshold', 2.5);
  changeSetting('scopelight.annotations.inclusiveThreshold', 250);
  changeSetting('scopelight.annotations.mostLines', -3);
  changeSetting('scopelight.annotations.mode', 'phases');
  changeSetting('scopelight.codeLens.enabled', true);
  changeSetting('scopelight.annotations.enabled', false);
  expect(daemonSettings()).toMatchObject({
    annotations: false,
    mode: 'phases',
    threshold_ratio: 0.025,
    most_lines: 0,
    inclusive_ratio: 1,
    code_lenses: true,
    inlay_hints: false,
  });
});

test('peaks are told in FLOP/s and bytes/s, and what is none as less than any', () => {
  changeSetting('scopelight.peakFlops', { BF16: 197, f32: 0.5, f16: 0, s8: 'fast', f64: -1 });
  changeSetting('scopelight.peakBandwidth', 819);
  changeSetting('scopelight.target', 'TPU v5e');
  expect(daemonSettings()).toMatchObject({
    peak_flops_per_s: { bf16: 197e12, f32: 5e11, f16: -1, s8: -1, f64: -1 },
    peak_bytes_per_s: 819e9,
    target: 'TPU v5e',
  });
  changeSetting('scopelight.peakBandwidth', 'fast');
  expect(daemonSettings().peak_bytes_per_s).toBe(-1);
  changeSetting('scopelight.peakFlops', {});
  changeSetting('scopelight.peakBandwidth', 0);
  expect(daemonSettings()).toMatchObject({ peak_flops_per_s: null, peak_bytes_per_s: null });
});

test.each(['time', 'phases', 'flops', 'padding', 'memory'])('annotations can say: %s', (mode) => {
  changeSetting('scopelight.annotations.mode', mode);
  expect(daemonSettings().mode).toBe(mode);
});

test.each(['steps', 'window', 'outside'])('everything looks at: %s', (scope) => {
  changeSetting('scopelight.scope', scope);
  expect(daemonSettings().scope).toBe(scope);
});

test('a mode, a scope or an environment that does not exist is the default', () => {
  changeSetting('scopelight.annotations.mode', 'colours');
  changeSetting('scopelight.scope', 'everything');
  changeSetting('scopelight.daemon.environment', 'mine');
  expect(daemonSettings()).toMatchObject({ mode: 'time', scope: 'steps' });
  expect(environmentKind()).toBe('own');
});

test('annotations stand after their lines unless a place is chosen that there is', () => {
  expect(annotationPlace(document)).toEqual({ position: 'afterLine' });
  changeSetting('scopelight.annotations.position', 'column');
  expect(annotationPlace(document)).toEqual({ position: 'column', column: 90 });
  changeSetting('scopelight.annotations.column', 72.5);
  expect(annotationPlace(document)).toEqual({ position: 'column', column: 72 });
  const { maximum: greatest } = manifest.contributes.configuration
    .map(({ properties }) => (properties as Record<string, { maximum?: number }>)['scopelight.annotations.column'])
    .find((each) => each !== undefined) ?? { maximum: 0 };
  expect(greatest).toBeLessThan(200);
  changeSetting('scopelight.annotations.column', 500);
  expect(annotationPlace(document)).toEqual({ position: 'column', column: greatest });
  changeSetting('scopelight.annotations.column', 'far');
  expect(annotationPlace(document)).toEqual({ position: 'column', column: 90 });
  changeSetting('scopelight.annotations.position', 'beforeLine');
  expect(annotationPlace(document)).toEqual({ position: 'beforeLine' });
  changeSetting('scopelight.annotations.position', 'above');
  expect(annotationPlace(document)).toEqual({ position: 'afterLine' });
});

test.each(['column', 'beforeLine'])('annotations at %s stand after their lines where those are wrapped', (position) => {
  changeSetting('scopelight.annotations.position', position);
  expect(annotationPlace(document)).toMatchObject({ position });
  for (const wrap of ['on', 'wordWrapColumn', 'bounded']) {
    changeSetting('editor.wordWrap', wrap);
    expect(annotationPlace(document)).toEqual({ position: 'afterLine' });
  }
});
