// Op Profile: where the op time went, as a tree from the whole down to the ops.

import { mount } from '../../shared/page/mount';
import { OpProfile } from './opProfile';

mount(<OpProfile />);
