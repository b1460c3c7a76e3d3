// Overview: where the steps of a run went, what would make them faster, and where to look.

import { mount } from '../../shared/page/mount';
import { Overview } from './overview';

mount(<Overview />);
