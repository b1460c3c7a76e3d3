// Rectangles by a graphics card: one instance each, placed by the vertex shader, so that a frame costs a few numbers.

import type { Size } from '../../../../shared/frame/size';
import { HOLLOW, type Instances, OUTLINED } from './instances';
import { DIMMED, ENTRIES, LOOKS, OUTLINE, type Palette, TINTED } from './palette';
import {
  BEYOND_PX,
  GAP_FROM_PX,
  GROUND,
  LEAST_OUTLINED_PX,
  type Loaded,
  onScreen,
  type Rectangle,
  type Renderer,
  ROW_VALUES,
  type RowPlaces,
  type ShownTime,
  sizeCanvas,
} from './renderer';

// A float has 24 bits: at a day's distance 5 ms. Times are two floats, a coarse one and what it lacks; the coarse ones
// of the time and the view are subtracted first, which is exact where they are near each other.
const VERTEX = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
layout(location = 0) in vec4 times;
layout(location = 1) in uint row;
layout(location = 2) in uvec4 look;
uniform vec2 from;
uniform float scale;
uniform vec2 size;
uniform float line;
uniform int rowsWide;
uniform sampler2D rows;
uniform sampler2D palette;
flat out vec4 fill;
flat out vec4 border;
flat out vec4 place;

void main() {
  ivec2 at = ivec2(int(row) % rowsWide, int(row) / rowsWide);
  vec3 where = texelFetch(rows, at, 0).xyz;
  float beyond = ${BEYOND_PX}.0;
  float left = clamp(floor(((times.x - from.x) + (times.y - from.y)) * scale + 0.5), -beyond, size.x + beyond);
  float right = clamp(floor(((times.z - from.x) + (times.w - from.y)) * scale + 0.5), -beyond, size.x + beyond);
  uint flags = look.y;
  float least = (flags & ${OUTLINED}u) == 0u ? 1.0 : ${LEAST_OUTLINED_PX}.0 * line;
  // What ends in sight is in sight with its least width, at the right edge too.
  left = right > size.x ? left : min(left, size.x - least);
  float gap = look.x < ${GROUND}u && right - left >= ${GAP_FROM_PX}.0 * line ? 1.0 : 0.0;
  right = max(right - gap, left + least);
  float top = max(where.z, where.x + floor(float(look.z) / 255.0 * where.y + 0.5));
  float bottom = where.x + floor(float(look.w) / 255.0 * where.y + 0.5);
  if (where.y <= 0.0 || bottom <= top || top >= size.y || right <= 0.0 || left >= size.x) {
    gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
    return;
  }
  fill = texelFetch(palette, ivec2(look.x, flags & ${TINTED + DIMMED}u), 0);
  border = (flags & ${OUTLINED}u) != 0u ? texelFetch(palette, ivec2(${OUTLINE}, 0), 0) : fill;
  if ((flags & ${HOLLOW}u) != 0u) {
    fill = texelFetch(palette, ivec2(${GROUND}, 0), 0);
  }
  // No border: the place is everywhere.
  place = (flags & ${HOLLOW + OUTLINED}u) == 0u ? vec4(-1e6, -1e6, 1e6, 1e6) : vec4(left, top, right, bottom);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 pixel = mix(vec2(left, top), vec2(right, bottom), corner);
  gl_Position = vec4(pixel / size * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform vec2 size;
uniform float line;
flat in vec4 fill;
flat in vec4 border;
flat in vec4 place;
out vec4 colour;

void main() {
  vec2 pixel = vec2(gl_FragCoord.x, size.y - gl_FragCoord.y);
  vec2 inside = min(pixel - place.xy, place.zw - pixel);
  colour = min(inside.x, inside.y) < line ? border : fill;
}`;

/** An instance's bytes: four floats, a row of two bytes and two of nothing, then entry, flags, top and bottom. */
const INSTANCE_BYTES = 24;
/** Rows are in a picture of at most this width, which every card takes. */
const ROWS_WIDE = 1024;

const UNIFORMS = ['from', 'scale', 'size', 'line', 'rowsWide', 'rows', 'palette'] as const;
type Uniform = (typeof UNIFORMS)[number];

interface LoadedInGl extends Loaded {
  readonly array: WebGLVertexArrayObject;
  readonly buffer: WebGLBuffer;
}

export class Webgl2Renderer implements Renderer {
  readonly kind = 'webgl2';
  private readonly gl: WebGL2RenderingContext;
  private readonly uniforms: Readonly<Record<Uniform, WebGLUniformLocation | null>>;
  private readonly rowsTexture: WebGLTexture;
  private readonly paletteTexture: WebGLTexture;
  private rowValues = new Float32Array(4 * ROWS_WIDE);
  private colours: Uint8Array = new Uint8Array(4 * ENTRIES * LOOKS);
  private density = 1;

  /**
   * Throws where there is no WebGL2, or only an emulation: there a plain canvas is quicker. `onLost` is called when the
   * graphics card is taken away.
   */
  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly onLost: () => void,
  ) {
    const gl = canvas.getContext('webgl2', {
      alpha: false,
      antialias: false,
      depth: false,
      failIfMajorPerformanceCaveat: true,
    });
    if (gl === null) {
      throw new Error('There is no WebGL2.');
    }
    this.gl = gl;
    const program = programOf(gl);
    gl.useProgram(program);
    this.uniforms = Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)])) as Record<
      Uniform,
      WebGLUniformLocation | null
    >;
    this.rowsTexture = textureOf(gl, 0);
    this.paletteTexture = textureOf(gl, 1);
    gl.uniform1i(this.uniforms.rows, 0);
    gl.uniform1i(this.uniforms.palette, 1);
    gl.uniform1i(this.uniforms.rowsWide, ROWS_WIDE);
    canvas.addEventListener('webglcontextlost', onLost);
  }

  resize(size: Size, density: number): void {
    const { canvas, gl } = this;
    this.density = density;
    sizeCanvas(canvas, size, density);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.uniform2f(this.uniforms.size, canvas.width, canvas.height);
    gl.uniform1f(this.uniforms.line, Math.max(1, Math.round(density)));
  }

  setPalette({ bytes }: Palette): void {
    const { gl } = this;
    this.colours = bytes;
    gl.activeTexture(gl.TEXTURE1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, ENTRIES, LOOKS, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  }

  load(instances: Instances): Loaded {
    const { gl } = this;
    const array = gl.createVertexArray();
    const buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, packed(instances), gl.STATIC_DRAW);
    for (let location = 0; location < 3; location += 1) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribDivisor(location, 1);
    }
    const dispose = (): void => {
      gl.deleteVertexArray(array);
      gl.deleteBuffer(buffer);
    };
    const loaded: LoadedInGl = { instances, array, buffer, dispose };
    return loaded;
  }

  clear(): void {
    this.gl.disable(this.gl.SCISSOR_TEST);
    this.clearWith(GROUND);
  }

  fill(rectangles: readonly Rectangle[]): void {
    const { gl } = this;
    gl.enable(gl.SCISSOR_TEST);
    for (const rectangle of rectangles) {
      const { left_px, top_px, width_px, height_px } = onScreen(rectangle, this.density);
      gl.scissor(left_px, this.canvas.height - top_px - height_px, width_px, height_px);
      this.clearWith(rectangle.entry);
    }
    gl.disable(gl.SCISSOR_TEST);
  }

  draw(loaded: Loaded, places: RowPlaces, shown: ShownTime, firstRow: number, endRow: number): void {
    const { gl, uniforms } = this;
    const { array, buffer, instances } = loaded as LoadedInGl;
    const first = instances.firstOfRow[firstRow] ?? 0;
    const end = instances.firstOfRow[endRow] ?? 0;
    if (end <= first) {
      return;
    }
    this.loadRows(places, instances.rows);
    const from_ps = Math.fround(shown.start_ps);
    gl.uniform2f(uniforms.from, from_ps, shown.start_ps - from_ps);
    gl.uniform1f(uniforms.scale, this.canvas.width / shown.length_ps);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    const offset = first * INSTANCE_BYTES;
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, INSTANCE_BYTES, offset);
    gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_SHORT, INSTANCE_BYTES, offset + 16);
    gl.vertexAttribIPointer(2, 4, gl.UNSIGNED_BYTE, INSTANCE_BYTES, offset + 20);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, end - first);
  }

  finish(): void {
    // The browser shows a frame by itself.
  }

  dispose(): void {
    this.canvas.removeEventListener('webglcontextlost', this.onLost);
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
    this.canvas.remove();
  }

  private clearWith(entry: number): void {
    const { gl, colours } = this;
    const part = (at: number): number => (colours[4 * entry + at] ?? 0) / 255;
    gl.clearColor(part(0), part(1), part(2), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  private loadRows(places: RowPlaces, rows: number): void {
    const { gl } = this;
    const lines = Math.max(1, Math.ceil(rows / ROWS_WIDE));
    if (this.rowValues.length < 4 * ROWS_WIDE * lines) {
      this.rowValues = new Float32Array(4 * ROWS_WIDE * lines);
    }
    for (let row = 0; row < rows; row += 1) {
      for (let value = 0; value < ROW_VALUES; value += 1) {
        this.rowValues[4 * row + value] = places[ROW_VALUES * row + value] ?? 0;
      }
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.rowsTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, ROWS_WIDE, lines, 0, gl.RGBA, gl.FLOAT, this.rowValues);
  }
}

function packed(instances: Instances): ArrayBuffer {
  const { count, start_ps, end_ps, row, entry, flags, top, bottom } = instances;
  const buffer = new ArrayBuffer(count * INSTANCE_BYTES);
  const floats = new Float32Array(buffer);
  const shorts = new Uint16Array(buffer);
  const bytes = new Uint8Array(buffer);
  for (let at = 0; at < count; at += 1) {
    const start = start_ps[at] ?? 0;
    const end = end_ps[at] ?? 0;
    const coarseStart = Math.fround(start);
    const coarseEnd = Math.fround(end);
    const first = at * (INSTANCE_BYTES / 4);
    floats[first] = coarseStart;
    floats[first + 1] = start - coarseStart;
    floats[first + 2] = coarseEnd;
    floats[first + 3] = end - coarseEnd;
    shorts[at * (INSTANCE_BYTES / 2) + 8] = row[at] ?? 0;
    const last = at * INSTANCE_BYTES + 20;
    bytes[last] = entry[at] ?? 0;
    bytes[last + 1] = flags[at] ?? 0;
    bytes[last + 2] = top[at] ?? 0;
    bytes[last + 3] = bottom[at] ?? 0;
  }
  return buffer;
}

function programOf(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) {
      throw new Error('WebGL2 was lost.');
    }
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true) {
    throw new Error(`The timeline's shaders do not work here: ${gl.getProgramInfoLog(program) ?? 'no reason given'}`);
  }
  return program;
}

function textureOf(gl: WebGL2RenderingContext, unit: number): WebGLTexture {
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
    gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  }
  return texture;
}
