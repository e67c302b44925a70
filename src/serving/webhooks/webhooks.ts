// The webhooks of a service: one sender for each address, started with it and closed before its store.

import { randomUUID } from 'node:crypto';
import { InputError } from '../../errors.ts';
import type { LogStore } from '../people/log-store.ts';
import { keyOfSecret } from './signed-message.ts';
import { type WebhookMetrics, WebhookSender, type WebhookTimes } from './webhook-sender.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Where decisions are told. */
export interface WebhookOptions {
  /** http: or https: addresses. */
  readonly urls: readonly string[];
  /** Signs the messages: 16 bytes or more; in base64 behind "whsec_", or as they are. */
  readonly secret: string;
}

export interface WebhookParts {
  readonly store: { readonly log: LogStore; readonly webhooks: WebhookStore };
  readonly metrics: WebhookMetrics;
  readonly warn: (message: string) => void;
  readonly times?: Partial<WebhookTimes> | undefined;
}

/** Throws where the options are not such that something could be sent. */
export function checkWebhooks({ urls, secret }: WebhookOptions): void {
  keyOfSecret(secret);
  for (const url of urls) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      const cure = 'Write it as https://example.org/hooks/tagloom.';
      throw new InputError({ got: `the webhook ${JSON.stringify(url)}`, expected: 'an http: or https: URL', cure });
    }
    const { username, password } = new URL(url);
    if (username === '' && password === '') continue;
    const got = `a user or password in the URL of the webhook ${new URL(url).origin}`; // neither can be sent
    const cure = 'Leave them out: the receiver checks the signature.';
    throw new InputError({ got, expected: 'none', cure });
  }
}

export function startWebhooks(
  { urls, secret }: WebhookOptions,
  { store, metrics, warn, times }: WebhookParts,
): { close(): Promise<void> } {
  const common = { key: keyOfSecret(secret), holder: randomUUID(), metrics, warn, times };
  const senders = [...shownNames(urls)].map(
    ([url, name]) => new WebhookSender({ ...common, url, name, log: store.log, positions: store.webhooks }),
  );
  return {
    close: async () => {
      await Promise.all(senders.map((sender) => sender.close()));
    },
  };
}

/** Of each URL what may be shown: paths and queries are often secret. Those of one origin are told apart by a number. */
function shownNames(urls: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const url of new Set(urls)) {
    const { origin } = new URL(url);
    const count = (counts.get(origin) ?? 0) + 1;
    counts.set(origin, count);
    names.set(url, count === 1 ? origin : `${origin} (${count})`);
  }
  return names;
}
