// Generated from extension/webview/panels/*/panel.ts by extension/scripts/generate_panels.mjs: do not edit.

import { panel as comparison } from '../../webview/panels/comparison/panel';
import { panel as compatibility } from '../../webview/panels/compatibility/panel';
import { panel as counters } from '../../webview/panels/counters/panel';
import { panel as flame } from '../../webview/panels/flame/panel';
import { panel as flops } from '../../webview/panels/flops/panel';
import { panel as graph } from '../../webview/panels/graph/panel';
import { panel as hosts } from '../../webview/panels/hosts/panel';
import { panel as hotLines } from '../../webview/panels/hotLines/panel';
import { panel as inputPipeline } from '../../webview/panels/inputPipeline/panel';
import { panel as memoryProfile } from '../../webview/panels/memoryProfile/panel';
import { panel as memoryViewer } from '../../webview/panels/memoryViewer/panel';
import { panel as opProfile } from '../../webview/panels/opProfile/panel';
import { panel as opStatistics } from '../../webview/panels/opStatistics/panel';
import { panel as overview } from '../../webview/panels/overview/panel';
import { panel as programs } from '../../webview/panels/programs/panel';
import { panel as query } from '../../webview/panels/query/panel';
import { panel as resources } from '../../webview/panels/resources/panel';
import { panel as roofline } from '../../webview/panels/roofline/panel';
import { panel as shapes } from '../../webview/panels/shapes/panel';
import { panel as stepTrace } from '../../webview/panels/stepTrace/panel';
import { panel as timeline } from '../../webview/panels/timeline/panel';

/** The manifests of all panels by id, the name of their folder, in the order of menus. */
export const panels = {
  overview,
  comparison,
  timeline,
  stepTrace,
  hosts,
  opProfile,
  opStatistics,
  flops,
  flame,
  roofline,
  graph,
  compatibility,
  programs,
  shapes,
  counters,
  memoryViewer,
  memoryProfile,
  inputPipeline,
  resources,
  hotLines,
  query,
};

export type PanelId = keyof typeof panels;
