// The page of each panel.

import type { ComponentChildren } from 'preact';
import type { PanelId } from '../../src/panels/registry';
import { Counters } from '../panels/counters/counters';
import { Flame } from '../panels/flame/flame';
import { Flops } from '../panels/flops/flops';
import { HotLines } from '../panels/hotLines/hotLines';
import { InputPipeline } from '../panels/inputPipeline/inputPipeline';
import { MemoryProfile } from '../panels/memoryProfile/memoryProfile';
import { MemoryViewer } from '../panels/memoryViewer/memoryViewer';
import { OpProfile } from '../panels/opProfile/opProfile';
import { OpStatistics } from '../panels/opStatistics/opStatistics';
import { Overview } from '../panels/overview/overview';
import { Programs } from '../panels/programs/programs';
import { Resources } from '../panels/resources/resources';
import { Roofline } from '../panels/roofline/roofline';
import { Shapes } from '../panels/shapes/shapes';
import { StepTrace } from '../panels/stepTrace/stepTrace';
import { TimelinePanel } from '../panels/timeline/timeline';

export const pages: Readonly<Record<PanelId, () => ComponentChildren>> = {
  overview: () => <Overview />,
  hotLines: () => <HotLines />,
  counters: () => <Counters />,
  flame: () => <Flame />,
  flops: () => <Flops />,
  inputPipeline: () => <InputPipeline />,
  memoryProfile: () => <MemoryProfile />,
  memoryViewer: () => <MemoryViewer />,
  opProfile: () => <OpProfile />,
  opStatistics: () => <OpStatistics />,
  programs: () => <Programs />,
  resources: () => <Resources />,
  roofline: () => <Roofline />,
  shapes: () => <Shapes />,
  stepTrace: () => <StepTrace />,
  timeline: () => <TimelinePanel />,
};
