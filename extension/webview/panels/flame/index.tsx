// The flame graph: what the device did, by the stack of Python that traced it.

import { mount } from '../../shared/page/mount';
import { Flame } from './flame';

mount(<Flame />);
