// The controls of the graph: search, level, what bars show, how far neighbours go, picture or table.

import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { Legend, phaseEntries } from '../../shared/charts/legend';
import { TableToggle } from '../../shared/charts/tableToggle';
import { ColourChoice, tintEntries } from '../../shared/comparison/colourBy';
import { Choice } from '../../shared/controls/choice';
import { IconButton, SearchField } from '../../shared/controls/elements';
import { Select } from '../../shared/controls/select';
import { Toggle } from '../../shared/controls/toggle';
import { programLabel } from '../../shared/op/programLabel';
import { count } from '../../shared/text/format';
import { PHASES } from '../../shared/theme';
import { fullBarText, isWithoutEstimate, JUDGEMENTS, judgementName, overlayName, overlaysOf } from './model/overlays';
import { LEVELS, levelName } from './model/words';
import type { Searching } from './searching';
import { LEAST_RADIUS, MOST_RADIUS } from './state';
import type { Viewer } from './viewer';

/** The program that is shown; nothing where there is nothing to choose. */
export function ProgramSelect({ viewer }: { readonly viewer: Viewer }) {
  const { record, navigation, state } = viewer;
  if (record.programs.length < 2) {
    return null;
  }
  const all = record.level === 'lines' ? [{ value: '', label: l10n.t('All programs') }] : [];
  const programs = record.programs.map((each) => ({ value: each.key, label: programLabel(each, record.programs) }));
  return (
    <Select
      label={l10n.t('Program')}
      options={[...all, ...programs]}
      value={record.level === 'lines' ? (state.program.value ?? '') : (record.program ?? '')}
      onChange={(key) => navigation.chooseProgram(key === '' ? null : key)}
    />
  );
}

export function Tools(props: {
  readonly viewer: Viewer;
  readonly searchRef: RefObject<{ readonly focus: () => void } | null>;
  readonly onLeaveSearch: () => void;
}) {
  const { viewer } = props;
  const { state, navigation, record, overlay, search, selected } = viewer;
  const overlays = overlaysOf(record, state.overlay.value);
  const radii = Array.from({ length: MOST_RADIUS - LEAST_RADIUS + 1 }, (_, at) => String(at + LEAST_RADIUS));
  return (
    <div class="tool-row">
      <Choice
        label={l10n.t('Level')}
        options={LEVELS.map((value) => ({ value, label: levelName(value) }))}
        value={record.level}
        onChange={(level) => {
          if (level !== 'ops' || selected === null || !viewer.showOps(selected)) {
            navigation.showLevel(level);
          }
        }}
      />
      <SearchField
        label={l10n.t('Search ops')}
        value={state.search.value}
        onChange={(text) => (state.search.value = text)}
        onLeave={props.onLeaveSearch}
        onStep={search.step}
        focusRef={props.searchRef}
      />
      <Hits search={search} text={state.search.value} />
      {record.level === 'ops' ? (
        <>
          <Select
            label={l10n.t('Radius')}
            options={radii.map((value) => ({ value, label: value }))}
            value={String(record.radius ?? state.radius.value)}
            onChange={(radius) => (state.radius.value = Number(radius))}
          />
          <Toggle
            label={l10n.t('Follow hubs')}
            meaning={l10n.t('Goes on from ops with many neighbours too')}
            pressed={state.hubs.value}
            onChange={(pressed) => (state.hubs.value = pressed)}
          />
        </>
      ) : null}
      <span class="spacer" />
      <ColourChoice usual={l10n.t('Phase')} />
      {overlays.length < 2 ? null : (
        <Select
          label={l10n.t('Bars')}
          options={overlays.map((value) => ({ value, label: overlayName(value) }))}
          value={overlay}
          onChange={(value) => (state.overlay.value = value)}
        />
      )}
      {state.asTable.value ? (
        <Choice
          label={l10n.t('Rows')}
          options={[
            { value: 'nodes', label: l10n.t('Nodes') },
            { value: 'edges', label: l10n.t('Edges') },
          ]}
          value={state.rows.value}
          onChange={(rows) => (state.rows.value = rows)}
        />
      ) : null}
      <TableToggle asTable={state.asTable} />
    </div>
  );
}

function Hits(props: { readonly search: Searching; readonly text: string }) {
  const { found, failure, ordinal, step } = props.search;
  if (props.text.trim() === '') {
    return null;
  }
  if (failure !== null) {
    return (
      <p class="graph-hits" role="alert">
        {failure}
      </p>
    );
  }
  const all = found === null ? 0 : found.hits.length + found.left_out;
  const text =
    found === null
      ? ''
      : all === 0
        ? l10n.t('no hits')
        : ordinal === null
          ? all === 1
            ? l10n.t('1 hit')
            : l10n.t('{0} hits', count(all))
          : l10n.t('{0} of {1}', count(ordinal + 1), count(all));
  return (
    <>
      <span class="graph-hits quiet" role="status">
        {text}
      </span>
      {all === 0 ? null : (
        <>
          <IconButton icon="arrow-up" label={l10n.t('Previous Hit')} onPress={() => step(-1)} />
          <IconButton icon="arrow-down" label={l10n.t('Next Hit')} onPress={() => step(1)} />
        </>
      )}
    </>
  );
}

/** The way to where what is shown lies, outermost first: a loop, a call. Nothing at the top of a program. */
export function Breadcrumbs({ viewer }: { readonly viewer: Viewer }) {
  const { record, navigation } = viewer;
  if (record.breadcrumbs.length < 2) {
    return null;
  }
  return (
    <nav class="graph-path ellipsis" aria-label={l10n.t('Where this is')}>
      {record.breadcrumbs.map(({ key, name, trip_count: passes }, position) => (
        <span key={key}>
          {position > 0 ? <span class="quiet"> › </span> : null}
          <button
            type="button"
            class="link"
            onClick={() => (position === 0 ? navigation.showLevel('scopes') : navigation.neighbours(key))}
          >
            {name}
          </button>
          {passes === null ? null : <span class="quiet"> {l10n.t('{0} passes', count(passes))}</span>}
        </span>
      ))}
    </nav>
  );
}

/** What hues and bars mean. */
export function GraphLegend({ viewer }: { readonly viewer: Viewer }) {
  const { overlay, model, tinted } = viewer;
  const phases = new Set(model.nodes.map(({ phase }) => phase));
  const entries =
    overlay === 'compatibility'
      ? JUDGEMENTS.map((each) => ({ mark: <span class={`swatch judged ${each}`} />, text: judgementName(each) }))
      : tinted !== null
        ? tintEntries(tinted.rows.sides.since)
        : phaseEntries(Object.fromEntries(PHASES.filter((phase) => phases.has(phase)).map((phase) => [phase, null])));
  const unknown =
    overlay === 'time' && model.nodes.some(isWithoutEstimate)
      ? [{ mark: <span class="swatch no-estimate" />, text: l10n.t('no estimate') }]
      : [];
  return <Legend entries={[...entries, ...unknown, { text: fullBarText(overlay) }, { text: widthText() }]} />;
}

const widthText = (): string => l10n.t('width of edges: bytes');
