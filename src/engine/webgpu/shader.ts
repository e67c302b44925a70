// What a kernel is: a piece of WGSL with, said once, the numbers it is given and the buffers it reads and writes. From
// that follow the declarations in front of its code, the layout of its bindings and the order of its arguments.

type BufferKind = `${'read' | 'write'} ${string}`; // the rest is the type of an element

export interface Shader<Param extends string = string, Name extends string = string> {
  /** Unique: kernels made from one text for different constants have different names. */
  readonly name: string;
  readonly params: Readonly<Record<Param, 'u32' | 'f32'>>;
  readonly buffers: Readonly<Record<Name, BufferKind>>;
  /** Every invocation reads no place but the one it writes: an input may then be the output itself. */
  readonly inPlace?: boolean;
  readonly code: string;
}

export type Arguments<Param extends string> = Readonly<Record<Param, number>>;

/** Keeps the names of parameters and buffers known to the compiler. */
export function shader<Param extends string, Name extends string>(of: Shader<Param, Name>): Shader<Param, Name> {
  return of;
}

/** One kernel for each set of constants, made when it is first asked for. */
export function shaderFamily<Key extends readonly unknown[], Param extends string, Name extends string>(
  make: (...key: Key) => Shader<Param, Name>,
): (...key: Key) => Shader<Param, Name> {
  const made = new Map<string, Shader<Param, Name>>();
  return (...key) => {
    const text = key.join();
    const known = made.get(text);
    if (known !== undefined) return known;
    const one = make(...key);
    made.set(text, one);
    return one;
  };
}

export const WORKGROUP = 256; // invocations

/** In front of every kernel's body: `group` is its workgroup's number, however the grid was folded; `lane` its place there. */
export const MAIN = (size: number = WORKGROUP) => `
@compute @workgroup_size(${size})
fn main(@builtin(workgroup_id) groupId: vec3<u32>, @builtin(num_workgroups) numGroups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let group = groupId.y * numGroups.x + groupId.x;`;

/** The kernel's text. `aliases`: inputs that are the named output. */
export function wgslOf(shader: Shader, aliases: ReadonlyMap<string, string>): string {
  const params = Object.entries(shader.params).map(([name, type]) => `${name}: ${type},`);
  const names = boundNames(shader, aliases);
  const bindings = names.map((name, i) => {
    const [access, type] = splitKind(shader.buffers[name]);
    return `@group(0) @binding(${i + 1}) var<storage, ${access}> ${name}: array<${type}>;`;
  });
  let code = shader.code;
  for (const [input, output] of aliases) code = code.replaceAll(new RegExp(`\\b${input}\\[`, 'g'), `${output}[`);
  return `struct Params { ${params.join(' ')} }
@group(0) @binding(0) var<uniform> params: Params;
${bindings.join('\n')}
${code}`;
}

/** The buffers that need a binding of their own, in order. */
export function boundNames(shader: Shader, aliases: ReadonlyMap<string, string>): string[] {
  return Object.keys(shader.buffers).filter((name) => !aliases.has(name));
}

export function isWritten(kind: BufferKind): boolean {
  return kind.startsWith('write ');
}

function splitKind(kind: BufferKind): [access: string, type: string] {
  const at = kind.indexOf(' ');
  return [isWritten(kind) ? 'read_write' : 'read', kind.slice(at + 1)];
}
