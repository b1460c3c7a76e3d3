// Timeline: every event of a profile, by device and by thread.

import { mount } from '../../shared/page/mount';
import { TimelinePanel } from './timeline';

mount(<TimelinePanel />);
