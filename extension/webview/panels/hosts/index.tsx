// Hosts: what each host costs the steps, what its cores did, and how fast the links between them are.

import { mount } from '../../shared/page/mount';
import { Hosts } from './hosts';

mount(<Hosts />);
