// A panel of memory over a made-up program: `?panel=memoryProfile` with `?samples=`, else the Memory Viewer with
// `?buffers=` at the peak; a memory of `?capacity=` times the peak.

import type { MemoryAtOptions } from '../../../extension/src/protocol';
import { MemoryProfile } from '../../../extension/webview/panels/memoryProfile/memoryProfile';
import { MemoryViewer } from '../../../extension/webview/panels/memoryViewer/memoryViewer';
import { aMemory, liveAt, MIB, profileView } from '../../extension/panels/memoryViewer/madeMemory';
import { manyBuffers } from '../../extension/panels/memoryViewer/manyBuffers';
import { showPanel } from './panelPage';

const options = new URLSearchParams(location.search);
const number = (name: string, usual: number): number => Number(options.get(name) ?? usual);

if (options.get('panel') === 'memoryProfile') {
  const capacity_bytes = number('capacity', 1.1) * 6 * MIB;
  const samples = aMemory().samples.slice(0, number('samples', 2));
  const view = profileView({ memories: [aMemory({ capacity_bytes, samples })] });
  showPanel('memoryProfile', <MemoryProfile />, () => view);
} else {
  const view = manyBuffers(number('buffers', 60), number('capacity', 1.1));
  showPanel('memoryViewer', <MemoryViewer />, (asked) => {
    if (asked.type === 'request') {
      return view;
    }
    const { position } = asked.params as MemoryAtOptions;
    const buffers = view.record.buffers.filter(({ start, end }) => start <= position && position < end);
    return asked.details === 'memoryAt' ? liveAt({ position, buffers }) : null;
  });
}
