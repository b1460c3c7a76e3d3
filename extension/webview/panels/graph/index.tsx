import layouts from 'worker:./layout/worker.ts';
import { mount } from '../../shared/page/mount';
import { Graph } from './graph';
import { inWorker, workerOf } from './layout/layouts';

mount(<Graph layOut={inWorker(() => workerOf(layouts))} />);
