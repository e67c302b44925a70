// The project's generator in WGSL: the same bits as src/random.ts gives.

/** Threefry-2x32, 20 rounds: both words of block (counter0, counter1), as in src/random.ts. */
export const THREEFRY = `
fn turn(x: u32, by: u32) -> u32 { return (x << by) | (x >> (32u - by)); }

fn threefry(key0: u32, key1: u32, counter0: u32, counter1: u32) -> vec2<u32> {
  let keys = array<u32, 3>(key0, key1, 0x1bd11bdau ^ key0 ^ key1);
  let turns = array<vec4<u32>, 2>(vec4<u32>(13u, 15u, 26u, 6u), vec4<u32>(17u, 29u, 16u, 24u));
  var x0 = counter0 + key0;
  var x1 = counter1 + key1;
  for (var part = 0u; part < 5u; part++) {
    let by = turns[part & 1u];
    x0 += x1; x1 = turn(x1, by.x) ^ x0;
    x0 += x1; x1 = turn(x1, by.y) ^ x0;
    x0 += x1; x1 = turn(x1, by.z) ^ x0;
    x0 += x1; x1 = turn(x1, by.w) ^ x0;
    x0 += keys[(part + 1u) % 3u];
    x1 += keys[(part + 2u) % 3u] + part + 1u;
  }
  return vec2<u32>(x0, x1);
}`;
