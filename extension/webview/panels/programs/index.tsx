// Programs: every compiled program, its variants, what compiling took and why, its arguments, and what calls it.

import { mount } from '../../shared/page/mount';
import { Programs } from './programs';

mount(<Programs />);
