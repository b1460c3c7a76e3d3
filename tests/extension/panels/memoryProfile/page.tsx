import { MemoryProfile } from '../../../../extension/webview/panels/memoryProfile/memoryProfile';
import { aMemory, MIB, profileView } from '../memoryViewer/madeMemory';
import type { MadePage } from '../shared/madePage';

/** A memory of a capacity of so many times its peak, of which so many samples are known. */
export function memoryProfilePage(capacity_ratio: number, samples: number): MadePage {
  const capacity_bytes = capacity_ratio * 6 * MIB;
  const memory = aMemory({ capacity_bytes, samples: aMemory().samples.slice(0, samples) });
  const view = profileView({ memories: [memory] });
  return { content: <MemoryProfile />, answer: () => view };
}

export const page = memoryProfilePage(1.1, 2);
