// The panel Op Profile.

import { whyNoUtilisation } from '../../shared/op/utilisation';
import * as l10n from '@vscode/l10n';
import { useMemo, useRef } from 'preact/hooks';
import type { GroupSelection, Selection } from '../../../src/panels/messages';
import type { OpProfileRecord, ViewAnswer } from '../../../src/protocol';
import { ColourChoice } from '../../shared/comparison/colourBy';
import { useDevice } from '../../shared/controls/deviceSelect';
import { ListPanel } from '../../shared/frame/listPanel';
import { aboveOf, Findings } from '../../shared/findings/findings';
import { extentText } from '../../shared/op/extent';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { search as searched, wordsOf } from '../../shared/table/search';
import { openRows, tableState } from '../../shared/table/tableState';
import { labelText, profileColumns, TIME_COLUMN, WASTED_COLUMN } from './columns';
import { useComparedProfile } from './compared';
import { ProfileDetails } from './details';
import { foldedChildren, openedFor } from './folding';
import { idleText, idleWhole } from './idle';
import './opProfile.css';
import { panel } from './panel';
import { statusParts } from './status';
import { profileState, Tools } from './tools';
import { groupOf, nodeOf, type ProfileNode, profileTree } from './tree';

const COVERAGE_RATIO = 0.9;

export function OpProfile() {
  const { saved } = usePage();
  const { grouping } = profileState(saved);
  const device = useDevice();
  const params = { by: grouping.value, device };
  return <RecordView panel={panel} params={params} show={(view) => <Profile view={view} />} />;
}

function Profile({ view }: { readonly view: ViewAnswer<OpProfileRecord> }) {
  const { record } = view;
  const { host, saved } = usePage();
  const state = profileState(saved);
  /** The group that the grouping was last chosen for. */
  const groupedFor = useRef<string | null>(null);
  const withIdle = !state.withoutIdle.value;
  const tree = useMemo(() => profileTree(record.rows, { withIdle }), [record, withIdle]);
  // The record's grouping, which follows the one that is asked for.
  const arranged = tableState(saved, record.grouping, { column: TIME_COLUMN, descending: true }, tree.roots.map(keyOf));
  const measure = arranged.sort.value.column === WASTED_COLUMN ? 'wasted_ps' : 'self_ps';
  const most = state.top.value ? Number(state.limit.value) : null;
  const coverage_ratio = state.most.value ? COVERAGE_RATIO : null;
  const folded = useMemo(
    () => foldedChildren({ measure, most, coverage_ratio }),
    [tree, measure, most, coverage_ratio],
  );
  const columns = useMemo(
    () =>
      profileColumns({
        whole_ps: tree.whole_ps,
        withIdle,
        idle: { whole: idleWhole(record), text: idleText(record) },
        utilisationReason: whyNoUtilisation(record.findings),
        extent: extentText(record.extent),
        rows: record.rows,
      }),
    [tree, record],
  );
  const compared = useComparedProfile(record.grouping, withIdle);
  const words = state.search.value;
  const hits = searched({ roots: tree.roots, keyOf, childrenOf: allChildren, textOf }, columns, wordsOf(words));
  const selected = tree.byKey.get(arranged.selected.value ?? '') ?? null;
  const shown = selected ?? tree.roots[0];

  /** Selects a node and opens what is above it. */
  const reveal = (node: ProfileNode): void => {
    openRows(arranged, openedFor(node, folded));
    arranged.selected.value = node.key;
  };
  const select = (node: ProfileNode): void => {
    arranged.selected.value = node.key;
    const selection = opOrLineOf(node);
    if (selection !== null) {
      host.select(selection);
    }
  };
  const follow = (selection: Selection): void => {
    const node = nodeOf(tree, selection);
    if (node !== null) {
      reveal(node);
    } else if (isGroup(selection) && groupedFor.current !== selection.name) {
      // It is followed again once the record of its grouping is there; a grouping that is chosen after that stays.
      groupedFor.current = selection.name;
      state.grouping.value = selection.kind;
    }
  };
  return (
    <ListPanel
      view={view}
      extent={record.extent}
      details={
        shown === undefined ? null : (
          <ProfileDetails
            node={shown}
            tree={tree}
            idle={idleText(record)}
            withIdle={withIdle}
            above={aboveOf(record)}
            onSelect={reveal}
          />
        )
      }
      status={statusParts(record, tree, { search: words, found: hits?.rows.size ?? 0 }, withIdle)}
      controls={<ColourChoice usual={l10n.t('Plain')} />}
      arrangement={record.grouping}
      selected={selected}
      onFollow={follow}
      head={<Findings findings={record.findings} />}
      search={state.search}
      searchLabel={l10n.t('Search names and lines')}
      tools={
        <Tools
          state={state}
          sort={arranged.sort}
          hasIdle={(record.wall?.idle_ps ?? 0) > 0}
          hasWasted={tree.roots[0]?.wasted_ps !== null}
        />
      }
      label={l10n.t('Op profile')}
      columns={columns}
      compared={compared}
      state={arranged}
      roots={tree.roots}
      keyOf={keyOf}
      childrenOf={hits === null ? folded : allChildren}
      textOf={textOf}
      opensFound
      isLast={isLast}
      classOf={classOf}
      onSelect={select}
      selectionOf={(node) => opOrLineOf(node) ?? groupOf(node)}
    />
  );
}

const keyOf = (node: ProfileNode): string => node.key;
const allChildren = (node: ProfileNode): readonly ProfileNode[] => node.children;
const isLast = ({ kind }: ProfileNode): boolean => kind === 'more';
const classOf = ({ kind }: ProfileNode): string => (kind === 'more' || kind === 'idle' ? 'quiet' : kind);
const textOf = (node: ProfileNode): string =>
  node.line === null ? labelText(node) : `${labelText(node)} ${node.path ?? ''}:${String(node.line)}`;

/** What selecting a node selects in the other panels; a group is shown there only when that is asked for. */
function opOrLineOf({ kind, op_key: key, file, line }: ProfileNode): Selection | null {
  if (kind === 'op' && key !== null) {
    return { kind: 'op', key, file, line };
  }
  return file === null || line === null ? null : { kind: 'line', file, line };
}

function isGroup(selection: Selection): selection is GroupSelection {
  return selection.kind === 'category' || selection.kind === 'program' || selection.kind === 'scope';
}
