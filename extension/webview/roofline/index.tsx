// Roofline: how fast ops and programs ran against what the device allows.

import { mount } from '../shared/mount';
import { Roofline } from './roofline';

mount(<Roofline />);
