// Memory Viewer: what a compiled program keeps in memory, by the compiler's plan of it.

import { mount } from '../../shared/page/mount';
import { MemoryViewer } from './memoryViewer';

mount(<MemoryViewer />);
