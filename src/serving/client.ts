// A typed client of the API, for programs and pages: every path, query, body and answer is checked by the compiler.

import createFetch, { type Client } from 'openapi-fetch';
import type { components, paths } from './client-types.ts';

/** Shapes of the API by name: Schemas['Suggestion']. */
export type Schemas = components['schemas'];

export type TagloomClient = Client<paths>;

export interface ClientOptions {
  /** Where the service has one. */
  readonly token?: string | undefined;
  /** If not the platform's own. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * A client of the service at a URL:
 * const { data, error } = await client.GET('/v1/objects/{id}/suggestions', { params: { path: { id: 'react-dom' } } });
 */
export function createClient(url: string, { token, fetch }: ClientOptions = {}): TagloomClient {
  return createFetch<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    ...(fetch !== undefined && { fetch }),
  });
}
