// FLOPs: the work of the model, its scopes and its ops, against wall time.

import { mount } from '../../shared/page/mount';
import { Flops } from './flops';

mount(<Flops />);
