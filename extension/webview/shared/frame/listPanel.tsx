// The shell of a panel that is a list: the frame with its list, and the selection that panels share.

import type { ComponentChildren } from 'preact';
import type { Selection } from '../../../src/panels/messages';
import type { ExtentRecord, OpenedRun } from '../../../src/protocol';
import { roundsText } from '../comparison/columns';
import { DeviceSelect, useDevice } from '../controls/deviceSelect';
import { ScopeSelect } from '../controls/scopeSelect';
import type { LinePlace } from '../controls/lineLink';
import { useSharedSelection } from '../page/followSelection';
import { usePage } from '../page/page';
import { Frame } from './frame';
import { List, type ListProps } from './list';
import { useStatusLine } from './status';

export interface ListPanelProps<Row> extends ListProps<Row> {
  readonly view: { readonly run: OpenedRun; readonly devices?: readonly string[]; readonly hosts?: readonly string[] };
  /** What the record is over, where one can choose that. */
  readonly extent?: ExtentRecord;
  /** What the list is of, after the run's title; absent: the run in short. */
  readonly facts?: readonly string[];
  /** Above the tools: figures, and what is to be known of the record. */
  readonly head?: ComponentChildren;
  readonly details: ComponentChildren;
  /** Whether the details are of something that was chosen: then a narrow page shows them as well. */
  readonly isChosen?: boolean;
  /** Controls of the top bar, beside the choice of a device. */
  readonly controls?: ComponentChildren;
  /** What is shown and what is filtered out; what is null is left out. */
  readonly status: readonly (string | null)[];
  /** The row that is selected here. */
  readonly selected: Row | null;
  /** Selects here what another panel has selected. */
  readonly onFollow: (selection: Selection) => void;
}

export function ListPanel<Row extends LinePlace>(props: ListPanelProps<Row>) {
  const { view, extent, facts, head, details, isChosen = false, controls, status, selected, onFollow, ...list } = props;
  const device = useDevice();
  const { saved } = usePage();
  const run = saved.signal<string | null>('scrolledRun', null);
  const { scroll_px } = list.state;
  // Before the table goes back to where it was: of another run that was another row.
  if (run.peek() !== view.run.path) {
    if (run.peek() !== null) {
      scroll_px.value = 0;
    }
    run.value = view.run.path;
  }
  useSharedSelection(JSON.stringify([list.arrangement, device]), (selection, isAskedFor) => {
    if (isAskedFor || selected === null || !isSelected(selected, list.selectionOf(selected), selection)) {
      onFollow(selection);
    }
  });
  return (
    <Frame
      facts={[view.run.title, ...(facts ?? [view.run.short])].filter((fact) => fact !== '')}
      controls={
        <>
          {controls}
          {extent === undefined ? null : <ScopeSelect extent={extent} />}
          <DeviceSelect devices={view.devices ?? []} hosts={view.hosts ?? []} />
        </>
      }
      details={details}
      isChosen={isChosen}
      status={useStatusLine([roundsText(list.compared?.rounds ?? 1), ...status])}
    >
      {head}
      <List {...list} />
    </Frame>
  );
}

/** Whether a row is what is selected, or on the line that is. */
function isSelected(row: LinePlace, own: Selection | null, selection: Selection): boolean {
  switch (selection.kind) {
    case 'line':
      return row.file === selection.file && row.line === selection.line;
    case 'op':
      return own?.kind === 'op' && own.key === selection.key;
    case 'time':
      return false;
    default:
      return own?.kind === selection.kind && own.name === selection.name;
  }
}
