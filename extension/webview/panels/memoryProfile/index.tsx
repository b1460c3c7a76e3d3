// Memory Profile: what was in memory while a script ran, what it was for at the peak, and why it ran out.

import { mount } from '../../shared/page/mount';
import { MemoryProfile } from './memoryProfile';

mount(<MemoryProfile />);
