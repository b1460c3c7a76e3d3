// What keys do in the picture of the graph.

import type { Page } from '../../shared/page/page';
import type { LayoutBox } from './layout/request';
import { consumersOf, producersOf } from './model/model';
import { type Direction, nextNode } from './picture/walking';
import type { Viewer } from './viewer';

const ZOOM_STEP = 1.25;

const directions: Readonly<Partial<Record<string, Direction>>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

export interface Keyed {
  readonly page: Page;
  readonly viewer: Viewer;
  readonly boxes: ReadonlyMap<string, LayoutBox>;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  /** Shows the picture as it was opened, and the one that `isComing` as well. */
  readonly openAnew: (isComing: boolean) => void;
}

/** Does what a key means; false where it means nothing here. */
export function keyOf(event: KeyboardEvent, { page, viewer, boxes, zoom, fit, openAnew }: Keyed): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey) {
    return false;
  }
  const { selected, navigation, model } = viewer;
  const goTo = (key: string | null): void => {
    const node = key === null ? null : (model.byKey.get(key) ?? null);
    if (node !== null) {
      viewer.select(node);
    }
  };
  const direction = directions[event.key];
  if (direction !== undefined) {
    goTo(selected === null ? (viewer.first()?.key ?? null) : nextNode(model, boxes, selected.key, direction));
    return true;
  }
  const isAround = viewer.record.level === 'ops';
  switch (event.key) {
    case '[':
      goTo(selected === null ? null : (producersOf(model, selected.key)[0]?.key ?? null));
      return true;
    case ']':
      goTo(selected === null ? null : (consumersOf(model, selected.key)[0]?.key ?? null));
      return true;
    case '+':
    case '=':
      if (isAround) {
        navigation.widen(1);
      } else {
        zoom(ZOOM_STEP);
      }
      return true;
    case '-':
      if (isAround) {
        navigation.widen(-1);
      } else {
        zoom(1 / ZOOM_STEP);
      }
      return true;
    case 'z':
      zoom(ZOOM_STEP);
      return true;
    case 'Z':
      zoom(1 / ZOOM_STEP);
      return true;
    case '0':
      fit();
      return true;
    case 'Enter':
      return selected !== null && (page.host.goToLineOf(selected) || viewer.toggle(selected));
    case 'o':
    case ' ':
      return selected !== null && viewer.toggle(selected);
    case 'Backspace':
      return outOf(viewer);
    case 'n':
      return selected !== null && viewer.showOps(selected);
    case 'Home':
      openAnew(navigation.overview());
      return true;
    case 'Escape':
      if (selected === null) {
        return false;
      }
      viewer.select(null);
      return true;
    default:
      return false;
  }
}

/** To the opened node that the selected one is in, or from the neighbours of an op to those of what calls it. */
function outOf(viewer: Viewer): boolean {
  const { selected, model, record, navigation } = viewer;
  const around = model.byKey.get(selected?.parent ?? '');
  const caller = record.breadcrumbs.slice(1).at(-1);
  if (around !== undefined) {
    viewer.select(around);
  } else if (record.level === 'ops' && caller !== undefined) {
    navigation.neighbours(caller.key);
  } else {
    return false;
  }
  return true;
}
