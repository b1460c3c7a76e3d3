// What the panel shows of a graph, and what can be done with it: one for all parts of the page.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Selection } from '../../../src/panels/messages';
import type { ViewAnswer } from '../../../src/protocol';
import { useColouredBy } from '../../shared/comparison/colourBy';
import { useDevice } from '../../shared/controls/deviceSelect';
import { useSharedSelection } from '../../shared/page/followSelection';
import { usePage } from '../../shared/page/page';
import { lineText } from '../../shared/op/words';
import { greatestRow } from '../../shared/table/greatest';
import { useComparedGraph } from './compared';
import type { LayOut } from './layout/layouts';
import type { Layout } from './layout/request';
import { layoutRequest } from './model/boxes';
import { type GraphModel, modelOf } from './model/model';
import { canOpen, isOp, selectionOf } from './model/words';
import { navigationOf } from './navigation';
import type { Graph, GraphHit, GraphNode, GraphOptions } from '../../../src/protocol';
import { useSearch } from './searching';
import { graphState, isSearchOfLine } from './state';

/** A graph with the places of its nodes. */
export interface Arranged {
  readonly record: Graph;
  readonly model: GraphModel;
  readonly layout: Layout;
}

export type Viewer = ReturnType<typeof useViewer>;

export function useViewer({ record }: ViewAnswer<Graph>, layOut: LayOut, params: GraphOptions) {
  const { host, saved } = usePage();
  const device = useDevice();
  const state = graphState(saved);
  const navigation = useMemo(() => navigationOf(state), [saved]);
  const model = useMemo(() => modelOf(record), [record]);
  const arranged = useArranged(record, model, layOut);
  const selected = model.byKey.get(state.selected.value ?? '') ?? null;
  const search = useSearch(state.search, { program: searchedProgram(record), device }, navigation.goTo);
  const hits = search.found?.hits ?? null;
  const found = useMemo(() => (hits === null ? null : foundIn(model, hits)), [model, hits]);
  const compared = useComparedGraph(params);
  const isTinted = useColouredBy().by === 'change';
  const [rows, countRows] = useState<number | null>(null);
  // Ops of a line are searched to go from one to the next, with those about them.
  const tableSearch = isSearchOfLine(state) ? '' : state.search.value;
  /** The line that is to be selected once the lines are there. */
  const wanted = useRef<{ readonly file: string; readonly line: number } | null>(null);
  const hasFollowed = useRef(false);

  const show = (node: GraphNode | null): void => {
    state.selected.value = node?.key ?? null;
  };
  const select = (node: GraphNode | null): void => {
    show(node);
    host.select(node === null ? null : selectionOf(node));
  };
  const showLine = (file: string, line: number): boolean => {
    const node = longestOfLine(model, file, line);
    if (node !== null) {
      show(node);
    }
    return node !== null;
  };
  const follow = (selection: Selection, isAskedFor: boolean): void => {
    switch (selection.kind) {
      case 'op': {
        const node = model.byKey.get(selection.key);
        if (node !== undefined) {
          show(node);
        } else if (isAskedFor || record.level === 'ops') {
          navigation.neighbours(selection.key);
        } else if (selection.file !== null && selection.line !== null) {
          showLine(selection.file, selection.line);
        }
        return;
      }
      case 'line':
        if (!showLine(selection.file, selection.line) && (isAskedFor || record.level === 'lines')) {
          wanted.current = selection;
          navigation.showLevel('lines');
        }
        return;
      case 'scope': {
        const node = model.nodes.find((each) => each.kind === 'scope' && each.scope === selection.name);
        show(node ?? selected);
        return;
      }
      default:
        return;
    }
  };
  useSharedSelection(JSON.stringify([device]), (selection, isAskedFor) => {
    const own = selected === null ? null : selectionOf(selected);
    // What was opened with something selected was opened for that.
    const isMeant = isAskedFor || !hasFollowed.current;
    hasFollowed.current = true;
    if (JSON.stringify(own) !== JSON.stringify(selection) || isAskedFor) {
      follow(selection, isMeant);
    }
  });
  useEffect(() => {
    if (wanted.current !== null && record.level === 'lines') {
      showLine(wanted.current.file, wanted.current.line);
      wanted.current = null;
    }
  }, [model]);

  return {
    record,
    model,
    arranged,
    state,
    navigation,
    overlay: record.overlays.includes(state.overlay.value) ? state.overlay.value : (record.overlays[0] ?? 'time'),
    /** What became of the nodes; null where nothing is compared. */
    compared,
    /** The same where the picture is coloured by it. */
    tinted: isTinted ? compared : null,
    selected,
    select,
    search,
    /** Keys of what a search has found in the picture; null where nothing is searched, or nothing of it is here. */
    found,
    /** What the rows of the table have, and how many are left by it; null before they are known. */
    tableSearch,
    rows,
    countRows,
    /** Opens a node in place or closes it; follows a hub. False where there is nothing inside. */
    toggle: (node: GraphNode): boolean => {
      const isOpenable = canOpen(node, model);
      if (isOpenable) {
        navigation.toggle(node.key);
      }
      return isOpenable;
    },
    /** Shows the ops around one: of a line one of its own, with the search to go on to its others. False without any. */
    showOps: (node: GraphNode): boolean => {
      if (isOp(node)) {
        navigation.neighbours(node.key);
      } else if (node.kind === 'line' && node.line !== null) {
        const { file, line, phase } = node;
        const isIn = (hit: GraphHit): boolean => hit.file === file && hit.line === line;
        const text = lineText(node.path, line);
        state.searchOfLine.value = text;
        search.find(text, (hit) => isIn(hit) && hit.phase === phase);
      } else {
        return false;
      }
      return true;
    },
    /** The node that a walk begins with: the one in the middle, or the one that took longest. */
    first: (): GraphNode | null =>
      model.byKey.get(record.center ?? '') ?? greatestRow(model.nodes, ({ self_ps }) => self_ps ?? 0),
  };
}

/** The program that is shown, or of all of them the first: the same before and after one goes to a hit of it. */
function searchedProgram({ program, programs }: Graph): string | null {
  return program ?? programs[0]?.key ?? null;
}

/** The layout of a record; the one before until it is there. */
function useArranged(record: Graph, model: GraphModel, layOut: LayOut): Arranged | null {
  const [arranged, setArranged] = useState<Arranged | null>(null);
  useEffect(() => {
    let isWanted = true;
    void layOut(layoutRequest(model)).then((layout) => {
      if (isWanted && layout !== null) {
        setArranged({ record, model, layout });
      }
    });
    return () => {
      isWanted = false;
    };
  }, [model, layOut]);
  return arranged;
}

function foundIn(
  { nodes }: GraphModel,
  hits: readonly { readonly key: string; readonly file: string | null; readonly line: number | null }[],
): ReadonlySet<string> | null {
  const keys = new Set(hits.map(({ key }) => key));
  const place = (file: string | null, line: number | null): string => JSON.stringify([file, line]);
  const places = new Set(hits.filter(({ line }) => line !== null).map(({ file, line }) => place(file, line)));
  const found = nodes.filter(
    (node) =>
      keys.has(node.key) || (node.kind === 'line' && node.line !== null && places.has(place(node.file, node.line))),
  );
  return found.length === 0 ? null : new Set(found.map(({ key }) => key));
}

/** The phase of a line that took longest. */
function longestOfLine({ nodes }: GraphModel, file: string, line: number): GraphNode | null {
  return greatestRow(
    nodes.filter((node) => node.kind === 'line' && node.file === file && node.line === line),
    ({ self_ps }) => self_ps ?? 0,
  );
}
