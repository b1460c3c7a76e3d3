// Resources: what the machine, the script's processes and threads, and accelerators did while the script ran.

import { mount } from '../../shared/page/mount';
import { Resources } from './resources';

mount(<Resources />);
