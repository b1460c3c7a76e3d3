// Hot Lines: the lines of all files that the op time went to, as a table.

import { mount } from '../../shared/page/mount';
import { HotLines } from './hotLines';

mount(<HotLines />);
