// A group of buttons that is one stop of the Tab key: arrow keys go on from button to button.

import { useRef, useState } from 'preact/hooks';
import { placeAfter } from './walkKeys';

export function useWalk(count: number) {
  const list = useRef<HTMLDivElement>(null);
  const [reached, reach] = useState(0);
  const reachable = Math.min(reached, count - 1);
  return {
    list,
    reach,
    tabIndexOf: (position: number): number => (position === reachable ? 0 : -1),
    onKeyDown: (event: KeyboardEvent): void => {
      const to = placeAfter(event.key, reachable, count);
      if (to !== null) {
        event.preventDefault();
        list.current?.querySelectorAll('button')[to]?.focus();
      }
    },
  };
}
