import type { MemoryAtOptions } from '../../../../extension/src/protocol';
import { MemoryViewer } from '../../../../extension/webview/panels/memoryViewer/memoryViewer';
import type { MadePage } from '../shared/madePage';
import { liveAt } from './madeMemory';
import { manyBuffers } from './manyBuffers';

/** A program with so many buffers at the peak, in a memory of a capacity of so many times that peak. */
export function memoryViewerPage(buffers: number, capacity_ratio: number): MadePage {
  const view = manyBuffers(buffers, capacity_ratio);
  return {
    content: <MemoryViewer />,
    answer: (asked) => {
      if (asked.type === 'request') {
        return view;
      }
      const { position } = asked.params as MemoryAtOptions;
      const alive = view.record.buffers.filter(({ start, end }) => start <= position && position < end);
      return asked.details === 'memoryAt' ? liveAt({ position, buffers: alive }) : null;
    },
  };
}

export const page = memoryViewerPage(60, 1.1);
