// Roofline: how fast ops and programs ran against what the device allows.

import { mount } from '../../shared/page/mount';
import { Roofline } from './roofline';

mount(<Roofline />);
