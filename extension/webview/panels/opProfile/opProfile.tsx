// The panel Op Profile.

import * as l10n from '@vscode/l10n';
import { useMemo, useRef } from 'preact/hooks';
import type { GroupSelection, Selection } from '../../../src/panels/messages';
import type { OpProfileRecord, ViewAnswer } from '../../../src/protocol';
import { DeviceSelect, useDevice } from '../../shared/controls/deviceSelect';
import { useSharedSelection } from '../../shared/page/followSelection';
import { emptyRows } from '../../shared/op/emptyRows';
import { Frame } from '../../shared/frame/frame';
import { OpNotices } from '../../shared/op/notices';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { showInItems } from '../../shared/page/showIn';
import { search, wordsOf } from '../../shared/table/search';
import { Table, type TableFocus } from '../../shared/table/table';
import { tableState } from '../../shared/table/tableState';
import { labelText, profileColumns, TIME_COLUMN, WASTED_COLUMN } from './columns';
import { ProfileDetails } from './details';
import { foldedChildren, openedFor } from './folding';
import { idleText, idleWhole } from './idle';
import './opProfile.css';
import { panel } from './panel';
import { statusText } from './status';
import { profileState, Tools } from './tools';
import { groupOf, nodeOfGroup, nodeOfLine, nodeOfOp, type ProfileNode, type ProfileTree, profileTree } from './tree';

const COVERAGE_RATIO = 0.9;

export function OpProfile() {
  const { saved } = usePage();
  const { grouping } = profileState(saved);
  const device = useDevice();
  return (
    <RecordView
      panel={panel}
      params={{ by: grouping.value, device }}
      empty={({ record }) => emptyRows(record, l10n.t('No op ran.'))}
      show={(view, took_ms) => <Profile view={view} took_ms={took_ms} />}
    />
  );
}

function Profile(props: { readonly view: ViewAnswer<OpProfileRecord>; readonly took_ms: number | null }) {
  const { view, took_ms } = props;
  const { record, run } = view;
  const page = usePage();
  const { host, saved } = page;
  const state = profileState(saved);
  const device = useDevice();
  const table = useRef<TableFocus>(null);
  /** The group that the grouping was last chosen for. */
  const groupedFor = useRef<string | null>(null);
  const withIdle = !state.withoutIdle.value;
  const tree = useMemo(() => profileTree(record.rows, { withIdle }), [record, withIdle]);
  // The record's grouping, which follows the one that is asked for.
  const arranged = tableState(
    saved,
    record.grouping,
    { column: TIME_COLUMN, descending: true },
    tree.roots.map(({ key }) => key),
  );
  const measure = arranged.sort.value.column === WASTED_COLUMN ? 'wasted_ps' : 'self_ps';
  const most = state.top.value ? Number(state.limit.value) : null;
  const coverage_ratio = state.most.value ? COVERAGE_RATIO : null;
  const folded = useMemo(
    () => foldedChildren({ measure, most, coverage_ratio }),
    [tree, measure, most, coverage_ratio],
  );
  const words = state.search.value;
  const isSearching = wordsOf(words).length > 0;

  const go = (node: ProfileNode): boolean => host.goToLineOf(node);
  const columns = useMemo(
    () =>
      profileColumns({
        whole_ps: tree.whole_ps,
        withIdle,
        idle: { whole: idleWhole(record), text: idleText(record) },
        utilisationReason: record.utilisation_reason,
        onGo: go,
      }),
    [tree, record],
  );
  const hits = useMemo(
    () => search({ roots: tree.roots, keyOf, childrenOf: allChildren, textOf }, columns, wordsOf(words)),
    [tree, columns, words],
  );
  const selected = tree.byKey.get(arranged.selected.value ?? '') ?? null;

  /** Selects a node and opens what is above it. */
  const reveal = (node: ProfileNode): void => {
    const closed = openedFor(node, folded).filter((key) => !arranged.expanded.value.includes(key));
    if (closed.length > 0) {
      arranged.expanded.value = [...arranged.expanded.value, ...closed];
    }
    arranged.selected.value = node.key;
  };
  const select = (node: ProfileNode): void => {
    arranged.selected.value = node.key;
    const selection = selectionOf(node);
    if (selection !== null) {
      host.select(selection);
    }
  };

  useSharedSelection(record.grouping, (selection) => {
    if (selected !== null && isSelection(selected, selection)) {
      return;
    }
    const node = nodeOf(tree, selection);
    if (node !== null) {
      reveal(node);
    } else if (isGroup(selection) && groupedFor.current !== selection.name) {
      // It is followed again once the record of its grouping is there; a grouping that is chosen after that stays.
      groupedFor.current = selection.name;
      state.grouping.value = selection.kind;
    }
  });

  const shown = selected ?? tree.roots[0];
  return (
    <Frame
      facts={[run.title, run.short].filter((fact) => fact !== '')}
      controls={<DeviceSelect devices={view.devices} />}
      details={{
        label: l10n.t('Details'),
        content:
          shown === undefined ? null : (
            <ProfileDetails
              node={shown}
              tree={tree}
              idle={idleText(record)}
              device={device}
              onGo={go}
              onSelect={reveal}
            />
          ),
      }}
      status={statusText(record, tree, { search: words, hits: hits?.rows.size ?? 0, withIdle, took_ms })}
    >
      <OpNotices record={record} />
      <Tools state={state} sort={arranged.sort} hasIdle={record.idle_ps > 0} onLeave={() => table.current?.focus()} />
      <Table
        key={record.grouping}
        label={l10n.t('Op profile')}
        columns={columns}
        state={arranged}
        search={words}
        roots={tree.roots}
        keyOf={keyOf}
        childrenOf={isSearching ? allChildren : folded}
        textOf={textOf}
        opensFound
        isLast={isLast}
        classOf={classOf}
        onOpen={go}
        onSelect={select}
        menuOf={(node) => [
          ...(node.file === null
            ? []
            : [{ label: l10n.t('Go to Line'), keys: l10n.t('Enter'), run: () => void go(node) }]),
          ...showInItems(page, selectionOf(node) ?? groupOf(node)),
        ]}
        nothingFound={l10n.t('No row has “{0}”.', words.trim())}
        focusRef={table}
      />
    </Frame>
  );
}

const keyOf = (node: ProfileNode): string => node.key;
const allChildren = (node: ProfileNode): readonly ProfileNode[] => node.children;
const isLast = ({ kind }: ProfileNode): boolean => kind === 'more';
const classOf = ({ kind }: ProfileNode): string => (kind === 'more' || kind === 'idle' ? 'quiet' : kind);
const textOf = (node: ProfileNode): string =>
  node.line === null ? labelText(node) : `${labelText(node)} ${node.path ?? ''}:${String(node.line)}`;

/** What selecting a node selects in the other panels; a group is shown there only when that is asked for. */
function selectionOf({ kind, op_key: key, file, line }: ProfileNode): Selection | null {
  if (kind === 'op' && key !== null) {
    return { kind: 'op', key, file, line };
  }
  return file === null || line === null ? null : { kind: 'line', file, line };
}

function nodeOf(tree: ProfileTree, selection: Selection): ProfileNode | null {
  switch (selection.kind) {
    case 'op':
      return nodeOfOp(tree, selection.key);
    case 'line':
      return nodeOfLine(tree, selection.file, selection.line);
    default:
      return nodeOfGroup(tree, selection);
  }
}

function isGroup(selection: Selection): selection is GroupSelection {
  return selection.kind !== 'op' && selection.kind !== 'line';
}

/** Whether a node is what is selected, or on the line that is. */
function isSelection(node: ProfileNode, selection: Selection): boolean {
  switch (selection.kind) {
    case 'op':
      return node.kind === 'op' && node.op_key === selection.key;
    case 'line':
      return node.file === selection.file && node.line === selection.line;
    default: {
      const group = groupOf(node);
      return group?.kind === selection.kind && group.name === selection.name;
    }
  }
}
