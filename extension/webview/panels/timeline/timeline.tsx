// The panel Timeline.

import { Findings } from '../../shared/findings/findings';
import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { TimelineAnswer } from '../../../src/protocol';
import { useSharedSelection } from '../../shared/page/followSelection';
import { Frame } from '../../shared/frame/frame';
import { duration } from '../../shared/text/format';
import { Menu, type MenuItem, type OpenMenu } from '../../shared/controls/menu';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { showInItems } from '../../shared/page/showIn';
import '../../shared/op/card/opCard.css';
import { type Action, menuItems } from './actions/action';
import { actionsOf } from './actions/all';
import { panel } from './panel';
import { Timeline } from './state/controller';
import { Details } from './panes/details';
import { EventTable } from './panes/eventTable';
import { Help } from './panes/help';
import { isWriting, PICTURE_SELECTOR, pressKey, releaseKey } from './actions/keys';
import { eventTitle } from './state/eventName';
import { labelsStyle } from './tracks/labelsEdge';
import { Minimap } from './tracks/minimap';
import { NoTracks } from './tracks/noTracks';
import { statusText } from './panes/status';
import { StepRuler } from './tracks/stepRuler';
import { Surface } from './tracks/surface';
import './timeline.css';
import { Toolbar } from './panes/toolbar';
import { trackMenu } from './tracks/trackMenu';
import { TracksCanvas } from './tracks/tracksCanvas';

/** Steps, ops and the overview of a profile are made after its first picture: asked for this much later. */
const ASK_AGAIN_MS = 500;

export function TimelinePanel() {
  const { path } = usePage();
  return (
    <RecordView
      panel={panel}
      params={{ path }}
      show={(view) => <TimelineOfRun view={view} />}
      askAgain_ms={({ record }) => (record.complete ? null : ASK_AGAIN_MS)}
    />
  );
}

function TimelineOfRun(props: { readonly view: TimelineAnswer }) {
  const { record, run, contents } = props.view;
  const page = usePage();
  const { path } = page;
  const shownPath = path ?? run?.path ?? null;
  const shown = useMemo(() => (shownPath === null ? null : { path: shownPath, contents }), [shownPath, contents]);
  const timeline = useMemo(() => {
    const made = new Timeline(page);
    // What is drawn first is drawn of a record.
    made.show(record, shown);
    return made;
  }, [page]);
  const { state, motion } = timeline;
  useLayoutEffect(() => timeline.show(record, shown), [record, shown, timeline]);

  const root = useRef<HTMLDivElement>(null);
  const search = useRef<{ readonly focus: () => void } | null>(null);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const focusPicture = (): void => root.current?.querySelector<HTMLElement>(PICTURE_SELECTOR)?.focus();
  const actions = useMemo(() => actionsOf(timeline, () => search.current?.focus()), [timeline]);
  useKeys(timeline, actions);
  useEffect(() => () => motion.stopAll(), [motion]);

  // An op or a line that was selected elsewhere has all its executions highlighted here; a time is what is shown.
  useSharedSelection(record.complete ? 'complete' : '', (selection, isAskedFor) => {
    if (selection.kind === 'time') {
      state.frame(selection);
    } else if (record.complete && !isSelectedHere(timeline, selection, isAskedFor)) {
      void timeline.searching.highlight({
        op_key: selection.kind === 'op' ? selection.key : null,
        file: selection.kind === 'line' ? selection.file : null,
        line: selection.kind === 'line' ? selection.line : null,
      });
    }
  });

  const openMenu = (items: readonly MenuItem[], x_px: number, y_px: number): void =>
    setMenu(items.length === 0 ? null : { items, x_px, y_px });
  const openPictureMenu = (x_px: number, y_px: number): void =>
    openMenu([...pictureItems(actions), ...showInItems(page, timeline.selecting.asSelection())], x_px, y_px);
  const title = path === null ? (run?.title ?? '') : path.replace(/^.*[\\/]/, '');
  const facts = [title, path === null ? (run?.short ?? '') : duration(record.duration_ps)].filter(
    (fact) => fact !== '',
  );
  return (
    <div class="timeline-page" ref={root} style={labelsStyle(state.labels_px.value)}>
      <Frame facts={facts} details={<Details timeline={timeline} />} status={<Status timeline={timeline} />}>
        <Findings findings={record.findings} />
        <Toolbar
          timeline={timeline}
          actions={actions}
          searchRef={search}
          onLeaveSearch={focusPicture}
          onMore={(x_px, y_px) => openMenu(menuItems(actions), x_px, y_px)}
        />
        <Minimap state={state} />
        <StepRuler state={state} />
        <TracksCanvas
          state={state}
          host={timeline.pictureHost}
          onTrackMenu={(id, x_px, y_px) => openMenu(trackMenu(timeline, id), x_px, y_px)}
        >
          <Surface timeline={timeline} onMenu={openPictureMenu} />
          <NoTracks state={state} />
        </TracksCanvas>
        {timeline.showsTable.value ? <EventTable timeline={timeline} onLeave={focusPicture} /> : null}
      </Frame>
      <Announcer timeline={timeline} />
      {menu === null ? null : <Menu menu={menu} onClose={() => setMenu(null)} />}
      {timeline.showsHelp.value ? <Help actions={actions} onClose={() => (timeline.showsHelp.value = false)} /> : null}
    </div>
  );
}

/** Keys work wherever the focus is on the page, also on nothing. */
function useKeys(timeline: Timeline, actions: readonly Action[]): void {
  useEffect(() => {
    const { motion } = timeline;
    const down = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && pressKey(actions, motion, event)) {
        event.preventDefault();
      }
    };
    const up = (event: KeyboardEvent): void => releaseKey(actions, motion, event);
    const leave = (): void => motion.stopAll();
    const focus = (event: FocusEvent): void => {
      if (isWriting(event.target)) {
        motion.stopAll();
      }
    };
    document.addEventListener('keydown', down);
    document.addEventListener('keyup', up);
    document.addEventListener('focusin', focus);
    window.addEventListener('blur', leave);
    return () => {
      document.removeEventListener('keydown', down);
      document.removeEventListener('keyup', up);
      document.removeEventListener('focusin', focus);
      window.removeEventListener('blur', leave);
    };
  }, [timeline, actions]);
}

function Status(props: { readonly timeline: Timeline }) {
  const { record, view, drawn, failure, arranged } = props.timeline.state;
  if (record.value === null) {
    return null;
  }
  const shown = new Set(arranged.value.flatMap(({ tracks }) => tracks.map(({ track }) => track.id))).size;
  const all = record.value.sections.reduce((sum, { tracks }) => sum + tracks.length, 0);
  return (
    <>
      {statusText(record.value, {
        view: view.value,
        drawn: drawn.value,
        hidden: all - shown,
        failure: failure.value,
      })}
    </>
  );
}

/** Says what is selected to those who do not see it. */
function Announcer(props: { readonly timeline: Timeline }) {
  const event = props.timeline.selecting.event.value;
  return (
    <p class="announcer" aria-live="polite">
      {event === null
        ? ''
        : l10n.t(
            '{0}, {1}, starts at {2}',
            eventTitle(event),
            duration(event.place.duration_ps),
            duration(event.place.start_ps),
          )}
    </p>
  );
}

function isSelectedHere({ selecting }: Timeline, selection: Selection, isAskedFor: boolean): boolean {
  const own = selecting.asSelection();
  if (own?.kind === 'line' && selection.kind === 'line') {
    // One event of a line is not all that it means: who asks for it is led there.
    return !isAskedFor && own.file === selection.file && own.line === selection.line;
  }
  return own?.kind === 'op' && selection.kind === 'op' && own.key === selection.key;
}

/** What can be done with what is under the pointer; the rest is in the menu of all actions. */
function pictureItems(actions: readonly Action[]): readonly MenuItem[] {
  return menuItems(actions.filter(({ id }) => PICTURE_MENU.has(id)));
}

const PICTURE_MENU = new Set([
  'fit',
  'whole',
  'goToLine',
  'mark',
  'selectWindow',
  'unmark',
  'escape',
  'zoomToStep',
  'nextGap',
  'previousGap',
  'exportWindow',
  'exportSelection',
]);
