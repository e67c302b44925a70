// The webhooks of a service: one sender for each address, started with it and closed before its store.

import { randomUUID } from 'node:crypto';
import { InputError } from '../../errors.ts';
import type { LogStore } from '../people/log-store.ts';
import { keyOfSecret } from './signed-message.ts';
import { shownUrl, type WebhookMetrics, WebhookSender, type WebhookTimes } from './webhook-sender.ts';
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
    const got = `a user or password in the URL of the webhook ${shownUrl(url)}`; // neither can be sent
    const cure = 'Leave them out: the receiver checks the signature.';
    throw new InputError({ got, expected: 'none', cure });
  }
}

export function startWebhooks(
  { urls, secret }: WebhookOptions,
  { store, metrics, warn, times }: WebhookParts,
): { close(): Promise<void> } {
  const common = { key: keyOfSecret(secret), holder: randomUUID(), metrics, warn, times };
  const senders = [...new Set(urls)].map(
    (url) => new WebhookSender({ ...common, url, log: store.log, positions: store.webhooks }),
  );
  return {
    close: async () => {
      await Promise.all(senders.map((sender) => sender.close()));
    },
  };
}
