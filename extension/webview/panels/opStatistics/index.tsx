// Op Statistics: the types of ops, and every op with all that is known of it.

import { mount } from '../../shared/page/mount';
import { OpStatistics } from './opStatistics';

mount(<OpStatistics />);
