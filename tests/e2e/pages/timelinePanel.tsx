// The panel Timeline over a made-up training.

import { page } from '../../extension/panels/timeline/page';
import { showPanel } from './panelPage';

showPanel('timeline', page);
