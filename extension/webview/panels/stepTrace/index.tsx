// Step Trace: each step from its interval over forward and backward pass to its tail, and what was exchanged in it.

import { mount } from '../../shared/page/mount';
import { StepTrace } from './stepTrace';

mount(<StepTrace />);
