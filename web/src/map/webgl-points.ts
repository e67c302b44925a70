// Points by WebGL: one call draws them all, a hundred thousand in a few milliseconds. Libraries for this compile their draw
// calls from text at run time, which the page's security policy forbids.

import { type Colour, FIRST_RING } from './cluster-colours.ts';
import { type Painter, pointSize, USUAL } from './painter.ts';
import type { PointCloud } from './point-cloud.ts';
import type { ViewBox } from './view-box.ts';

const VERTEX = `
attribute vec2 place;
attribute float cluster;
attribute float emphasis;
uniform vec2 middle;
uniform vec2 scale;
uniform float size;
uniform vec3 colours[${FIRST_RING}];
varying vec4 colour;
varying float isRing;
void main() {
  gl_Position = vec4((place - middle) * scale, 0.0, 1.0);
  gl_PointSize = size;
  isRing = step(${FIRST_RING}.0, cluster);
  colour = vec4(colours[int(mod(cluster, ${FIRST_RING}.0))], emphasis > 0.5 ? 0.85 : 0.12);
}`;

const FRAGMENT = `
precision mediump float;
varying vec4 colour;
varying float isRing;
void main() {
  float radius = 2.0 * length(gl_PointCoord - 0.5);
  float inner = isRing * smoothstep(0.75, 0.5, radius);
  float alpha = colour.a * smoothstep(1.0, 0.8, radius) * (1.0 - inner);
  gl_FragColor = vec4(colour.rgb * alpha, alpha);
}`;

/** Undefined where the browser has no WebGL, or none to spare. */
export function openWebgl(canvas: HTMLCanvasElement, cloud: PointCloud): Painter | undefined {
  const gl = canvas.getContext('webgl', { antialias: false, depth: false, premultipliedAlpha: true });
  if (gl === null) return undefined;
  const program = compile(gl);
  if (program === undefined) return undefined;
  gl.useProgram(program);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  fill(gl, program, 'place', 2, cloud.places);
  fill(gl, program, 'cluster', 1, Float32Array.from(cloud.clusters));
  const emphasis = fill(gl, program, 'emphasis', 1, new Float32Array(cloud.size).fill(USUAL));
  const uniform = (name: string) => gl.getUniformLocation(program, name);
  const [middle, scale, size, colours] = ['middle', 'scale', 'size', 'colours'].map(uniform);
  return {
    setEmphasis(values) {
      gl.bindBuffer(gl.ARRAY_BUFFER, emphasis);
      gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(values), gl.DYNAMIC_DRAW);
    },
    paint(view: ViewBox, palette: readonly Colour[], pixelRatio: number) {
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.uniform2f(middle, ...view.middle);
      gl.uniform2f(scale, (2 * view.scale) / view.width, (2 * view.scale) / view.height);
      gl.uniform1f(size, pointSize(view, cloud.size) * pixelRatio);
      gl.uniform3fv(colours, palette.flat());
      gl.drawArrays(gl.POINTS, 0, cloud.size);
    },
    isLost: () => gl.isContextLost(),
    // browsers keep few contexts: one that is not given back would be taken from the next map
    release: () => gl.getExtension('WEBGL_lose_context')?.loseContext(),
  };
}

function compile(gl: WebGLRenderingContext): WebGLProgram | undefined {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) return undefined;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : undefined;
}

function fill(gl: WebGLRenderingContext, program: WebGLProgram, name: string, width: number, values: Float32Array) {
  const buffer = gl.createBuffer();
  const location = gl.getAttribLocation(program, name);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(location);
  gl.vertexAttribPointer(location, width, gl.FLOAT, false, 0, 0);
  return buffer;
}
