// Counters: what the hardware counted while each op ran.

import { mount } from '../../shared/page/mount';
import { Counters } from './counters';

mount(<Counters />);
