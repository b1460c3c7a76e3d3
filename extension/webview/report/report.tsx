// The frame of a report: which page is shown, and the way to the others.

import * as l10n from '@vscode/l10n';
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { PanelManifest } from '../../src/panels/manifest';
import { panelIds } from '../../src/panels/panelList';
import { type PanelId, panels } from '../../src/panels/registry';
import { Select } from '../shared/controls/select';
import { PageProvider } from '../shared/page/page';
import { appearance, APPEARANCES } from './appearance';
import type { Held } from './held';
import type { ReportHost, ShownLine } from './host';
import { contentOf } from './mounted';
import './report.css';
import { SourcePage } from './source/sourcePage';

export type PlaceId = PanelId | 'source';

/** First what names lines, and the lines. */
const FIRST: readonly PlaceId[] = ['overview', 'hotLines', 'source'];
const OTHERS = panelIds.filter(
  (id) => !FIRST.includes(id) && (panels[id] as PanelManifest).isMissingInReports !== true,
);
const PLACES: readonly PlaceId[] = [...FIRST, ...OTHERS];

/** The page that the address names, else the first. */
export function placeIn(address: string): PlaceId {
  const name = address.replace(/^#/, '');
  return PLACES.find((place) => place === name) ?? 'overview';
}

function titleOf(place: PlaceId): string {
  return place === 'source' ? l10n.t('Source') : panels[place].title();
}

export function Report(props: {
  readonly held: Held;
  readonly host: ReportHost;
  readonly place: ReadonlySignal<PlaceId>;
  readonly line: ReadonlySignal<ShownLine | null>;
  readonly go: (place: PlaceId) => void;
}) {
  const { held, host, go } = props;
  const place = props.place.value;
  const run = host.facts.value.shownRun;
  return (
    <div class="report">
      <section class="report-head" aria-label={l10n.t('Report')}>
        <h1 class="ellipsis">{run?.title ?? 'Scopelight'}</h1>
        <p class="quiet ellipsis">{run?.headline}</p>
        <div class="place-choice">
          <Select
            label={l10n.t('Page')}
            options={PLACES.map((value) => ({ value, label: titleOf(value) }))}
            value={place}
            onChange={go}
          />
        </div>
        <Select
          class="appearance"
          label={l10n.t('Theme')}
          options={APPEARANCES.map((value) => ({ value, label: appearanceName(value) }))}
          value={appearance.value}
          onChange={(chosen) => (appearance.value = chosen)}
        />
      </section>
      <nav aria-label={l10n.t('Pages')}>
        <ul>
          {PLACES.map((each) => (
            <li key={each}>
              <a href={`#${each}`} {...(each === place ? { 'aria-current': 'page' as const } : {})}>
                {titleOf(each)}
              </a>
            </li>
          ))}
        </ul>
        <p class="quiet">{l10n.t('Made by Scopelight {0}', held.version)}</p>
      </nav>
      <div class="report-page" data-panel={place}>
        {place === 'source' ? (
          <SourcePage held={held} host={host} line={props.line.value} />
        ) : (
          <PanelOfReport key={place} panel={place} host={host} />
        )}
      </div>
    </div>
  );
}

function appearanceName(name: (typeof APPEARANCES)[number]): string {
  return { light: l10n.t('Light'), dark: l10n.t('Dark'), contrast: l10n.t('High contrast') }[name];
}

function PanelOfReport({ panel, host }: { readonly panel: PanelId; readonly host: ReportHost }) {
  const { page, leave } = useMemo(() => host.page(panel), [panel, host]);
  useEffect(() => {
    page.host.start();
    return leave;
  }, [page, leave]);
  return <PageProvider value={page}>{contentOf(panel)}</PageProvider>;
}
