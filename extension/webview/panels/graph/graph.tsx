// The panel Graph.

import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import type { Graph as GraphRecord, GraphOptions, ViewAnswer } from '../../../src/protocol';
import { DeviceSelect, useDevice } from '../../shared/controls/deviceSelect';
import { ScopeSelect } from '../../shared/controls/scopeSelect';
import { Findings } from '../../shared/findings/findings';
import { Frame } from '../../shared/frame/frame';
import { roundsText } from '../../shared/comparison/columns';
import { useStatusLine } from '../../shared/frame/status';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { Details } from './details';
import './graph.css';
import { GraphView } from './graphView';
import { inPage, type LayOut } from './layout/layouts';
import { panel } from './panel';
import { graphState, type GraphState, keepOnlyOf, USUAL_RADIUS } from './state';
import { rowsText, statusParts } from './status';
import { Tables } from './tables';
import { Breadcrumbs, GraphLegend, ProgramSelect, Tools } from './tools';
import { useViewer } from './viewer';

/** `layOut` makes the layouts: beside the page, where it may have a worker. */
export function Graph({ layOut = inPage }: { readonly layOut?: LayOut }) {
  const { host, saved, path } = usePage();
  const device = useDevice();
  const state = graphState(saved);
  keepOnlyOf(state, path ?? host.facts.value?.shownRun?.path ?? null);
  return (
    <RecordView
      panel={panel}
      params={paramsOf(state, device)}
      // Where an op is not found there are other ways to go.
      isEmpty={({ record }) => record.programs.length === 0}
      // A report may start no worker.
      show={(view) => <GraphOfRun view={view} layOut={host.facts.value?.isReport === true ? inPage : layOut} />}
    />
  );
}

function GraphOfRun({ view, layOut }: { readonly view: ViewAnswer<GraphRecord>; readonly layOut: LayOut }) {
  const device = useDevice();
  const { saved } = usePage();
  const viewer = useViewer(view, layOut, paramsOf(graphState(saved), device));
  const { record, state, arranged, selected } = viewer;
  const search = useRef<{ readonly focus: () => void }>(null);
  const content = useRef<HTMLDivElement>(null);
  const why = record.findings.find(({ severity }) => severity === 'empty') ?? null;
  return (
    <Frame
      facts={[view.run.title, view.run.short].filter((fact) => fact !== '')}
      controls={
        <>
          <ProgramSelect viewer={viewer} />
          <ScopeSelect extent={record.extent} />
          <DeviceSelect devices={view.devices} hosts={view.hosts} />
        </>
      }
      details={<Details viewer={viewer} />}
      isChosen={selected !== null}
      onLetGo={() => viewer.select(null)}
      status={useStatusLine([
        roundsText(viewer.compared?.rows.rounds ?? 1),
        rowsText(viewer),
        ...statusParts(record, viewer.model.edges.length),
      ])}
    >
      <Findings findings={record.findings} />
      <Tools
        viewer={viewer}
        searchRef={search}
        onLeaveSearch={() => content.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()}
      />
      <Breadcrumbs viewer={viewer} />
      <div class="graph-content" ref={content}>
        {record.nodes.length === 0 ? (
          <p class="quiet nothing-drawn">{why?.text ?? l10n.t('There is nothing to show.')}</p>
        ) : state.asTable.value ? (
          <Tables viewer={viewer} />
        ) : arranged === null ? null : (
          <GraphView viewer={viewer} arranged={arranged} />
        )}
      </div>
      {state.asTable.value || record.nodes.length === 0 ? null : <GraphLegend viewer={viewer} />}
    </Frame>
  );
}

/** What goes without saying is not said: a report holds the answers to what pages ask as they open. */
function paramsOf(state: GraphState, device: string | null): GraphOptions {
  const level = state.level.value;
  const open = state.open.value;
  return {
    program: state.program.value,
    level: level === 'lines' ? null : level,
    memory: state.overlay.value === 'memory',
    device,
    ...(open.length === 0 ? {} : { open }),
    ...(level === 'ops' ? aroundOp(state) : {}),
  };
}

function aroundOp({ op, to, radius, hubs }: GraphState): GraphOptions {
  return {
    op: op.value,
    to: to.value,
    hubs: hubs.value,
    ...(radius.value === USUAL_RADIUS ? {} : { radius: radius.value }),
  };
}
