// Requests that no well-behaved client sends: bytes as they are, and paths and headers that are left alone.

import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';

/** Sends bytes as they are and gives back all that comes until the other side ends. */
export async function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}); // it may be cut off while it writes
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

/** With the path as it is: no client makes that of "..". */
export function get(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path, headers }, (response) => {
      let body = '';
      response.on('data', (bytes) => (body += bytes));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}
