// Answers below the routes: to what is no HTTP, comes too slowly, is too long for the parser, or asks for what this server never
// does. They have the problem and the strict headers of any other answer.

import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Api } from './api.ts';
import { STRICT_HEADERS } from './guard.ts';
import { PROBLEM_TYPE, type Problem, problemOf } from './problem.ts';

const LINGER_MS = 1000; // for which a client may go on sending after its answer
const UNREADABLE = problemOf(400, 'This is no HTTP request that can be read.', 'Send HTTP/1.1, as RFC 9112 has it.');
const PROBLEMS: Readonly<Record<string, Problem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: problemOf(408, 'The request did not come in time.', 'Send it again, all of it at once.'),
  HPE_HEADER_OVERFLOW: problemOf(
    431,
    'The URL and the headers are longer than 16 KB together.',
    'Send less; names of many objects go into the body of POST /v1/suggestions/batch.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: problemOf(
    413,
    'Extensions of chunks are too long.',
    'Send chunks without extensions.',
  ),
};
const NO_TUNNELS = problemOf(405, 'CONNECT is for proxies, and this is none.', 'Send the request itself: see /docs.');

const answered = new WeakSet<Socket>();

/** For a connection whose request cannot be read: there is no request to answer, only a connection to end. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (answered.has(socket)) return; // it goes on sending
  // an answer that has begun is not to be mixed with another
  const { _httpMessage: running } = socket as Socket & { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || running?.headersSent) socket.destroy();
  else answer(socket, PROBLEMS[error.code ?? ''] ?? UNREADABLE);
}

/** Requests that Node would answer, or drop, by itself. */
export function addRawAnswers(app: Api): void {
  const { server, routing } = app;
  server.on('checkExpectation', routing); // the guard refuses it
  server.on('connect', (_request, socket) => answer(socket as Socket, NO_TUNNELS));
  app.addHook('onSend', (request, reply, payload, done) => {
    // Node would close as soon as this is sent, with the rest of the body unread
    const { socket } = request.raw;
    if (reply.statusCode === 413) socket.destroySoon = () => endSlowly(socket);
    done(null, payload);
  });
}

function answer(socket: Socket, problem: Problem): void {
  answered.add(socket);
  const body = JSON.stringify(problem);
  const headers = {
    ...STRICT_HEADERS,
    'content-type': `${PROBLEM_TYPE}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...(problem.status === 405 && { allow: '' }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
  endSlowly(socket);
}

/** Reads on for a while: closing with data unread resets the connection, and the client may never see its answer. */
function endSlowly(socket: Socket): void {
  socket.end();
  socket.on('error', () => socket.destroy());
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
