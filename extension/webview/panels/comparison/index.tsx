import { mount } from '../../shared/page/mount';
import { Comparison } from './comparison';

mount(<Comparison />);
