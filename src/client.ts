// The entry tagloom/client: a typed client of the HTTP API, for programs and pages. The compiler checks every path, query, body and
// answer.

import createFetch, { type Client } from 'openapi-fetch';
import type { components, paths } from './serving/http/client-types.ts';

export type { components, Failure, NoParameters, operations, paths } from './serving/http/client-types.ts';

/** Shapes of the API by name: Schemas['Suggestion']. */
export type Schemas = components['schemas'];

/** What `createClient` returns: a method for each HTTP method, typed by path. */
export type TagloomClient = Client<paths>;

/** How to reach the service. */
export interface ClientOptions {
  /** The token of the service, if it has one. */
  readonly token?: string | undefined;
  /** Used instead of the platform's fetch. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * A client of the service at a URL.
 *
 * @example
 * import { createClient } from 'tagloom/client';
 *
 * const answer = { tags: [{ tag: 'space', numObjects: 2 }] };
 * const fetch = async () => Response.json(answer); // leave this out to ask a service that runs
 * const client = createClient('http://127.0.0.1:8080', { fetch });
 * const { data, error } = await client.GET('/v1/tags', {});
 * if (error) throw new Error(error.title);
 * console.log(data.tags[0].tag); // space
 */
export function createClient(url: string, { token, fetch }: ClientOptions = {}): TagloomClient {
  return createFetch<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    ...(fetch !== undefined && { fetch }),
  });
}
