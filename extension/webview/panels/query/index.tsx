// Query: questions in SQL over the tables of a run, with the answer as a table and as a chart.

import { mount } from '../../shared/page/mount';
import { Query } from './query';

mount(<Query />);
