// A panel of memory over a made-up program: `?panel=memoryProfile` with `?samples=`, else the Memory Viewer with
// `?buffers=` at the peak; a memory of `?capacity=` times the peak.

import { memoryProfilePage } from '../../extension/panels/memoryProfile/page';
import { memoryViewerPage } from '../../extension/panels/memoryViewer/page';
import { showPanel } from './panelPage';

const options = new URLSearchParams(location.search);
const number = (name: string, usual: number): number => Number(options.get(name) ?? usual);

if (options.get('panel') === 'memoryProfile') {
  showPanel('memoryProfile', memoryProfilePage(number('capacity', 1.1), number('samples', 2)));
} else {
  showPanel('memoryViewer', memoryViewerPage(number('buffers', 60), number('capacity', 1.1)));
}
