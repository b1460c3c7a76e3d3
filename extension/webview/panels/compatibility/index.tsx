// Compatibility: what a TPU would do with each op of a script, and why not.

import { mount } from '../../shared/page/mount';
import { Compatibility } from './compatibility';

mount(<Compatibility />);
