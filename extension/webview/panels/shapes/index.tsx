// Shapes: programs whose shapes change from call to call, what each call took, and what padding them would do.

import { mount } from '../../shared/page/mount';
import { Shapes } from './shapes';

mount(<Shapes />);
