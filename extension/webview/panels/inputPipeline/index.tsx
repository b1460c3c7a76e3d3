// Input Pipeline: how much of the steps waits for input, what makes that, and what is slow about it.

import { mount } from '../../shared/page/mount';
import { InputPipeline } from './inputPipeline';

mount(<InputPipeline />);
