// The service for programs: loads its libraries only when one is made, since most uses of the package make none.

import type { Service, ServiceOptions } from './api/service.ts';

export type { Service, ServiceOptions } from './api/service.ts';

/** A model and its reviews behind an HTTP API and a page. Close it when done. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { createService: create } = await import('./api/service.ts');
  return create(options);
}
