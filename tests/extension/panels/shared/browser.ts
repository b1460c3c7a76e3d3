// What happy-dom and an empty document lack: internals of custom elements, a canvas to draw on, the sheet of icons.

import { vi } from 'vitest';

const known = new Map<string | symbol, unknown>([
  ['measureText', () => ({ width: 10 })],
  ['createPattern', () => null],
  ['createImageData', (width: number, height: number) => pixels(width, height)],
  ['getImageData', (_x: number, _y: number, width: number, height: number) => pixels(width, height)],
  ['canvas', { width: 100, height: 100 }],
]);
/** Nothing is drawn here, so all of it is transparent. */
function pixels(width: number, height: number) {
  return { width, height, data: new Uint8ClampedArray(width * height * 4) };
}

const nothing = () => undefined;
const drawing = new Proxy(
  {},
  {
    get: (_, name) => known.get(name) ?? nothing,
    set: (_, name, value) => {
      known.set(name, value);
      return true;
    },
  },
);

Object.assign(HTMLElement.prototype, {
  attachInternals: () => ({ setFormValue: vi.fn(), setValidity: vi.fn(), form: null }),
});
Object.assign(HTMLCanvasElement.prototype, { getContext: () => drawing });
vi.stubGlobal(
  'Path2D',
  class {
    rect = vi.fn();
    moveTo = vi.fn();
    lineTo = vi.fn();
    arc = vi.fn();
    closePath = vi.fn();
    addPath = vi.fn();
  },
);

// As the host's document has it; icons look for it.
const icons = document.createElement('link');
icons.id = 'vscode-codicon-stylesheet';
document.head.append(icons);
