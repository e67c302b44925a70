// The options of "tagloom serve" about people: who may read, a proxy that knows who asks, and whom to tell of decisions.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { InputError } from '../errors.ts';
import type { ServiceOptions } from '../serving/http/service.ts';
import { ROLES, type Role } from '../serving/people/roles.ts';
import { namesIn } from './options.ts';

export interface PeopleOptions {
  readonly public?: true;
  readonly trustHeader?: string;
  readonly trustProxy?: readonly string[];
  readonly trustRole?: Role;
  readonly trustRoleHeader?: string;
  readonly webhook?: readonly string[];
  readonly webhookSecret?: string;
}

export const PEOPLE_HELP = `
Several people: "tagloom users add STORE NAME --role administrate" gives each a token of their own, with a role: read, review or
administrate. As soon as there are users, everything needs a token; --public lets anyone read. Behind a proxy that checks who
asks (oauth2-proxy and its kin), --trust-header takes the name from its header, and believes it only from --trust-proxy.
Webhooks get what was decided and undone, signed as Standard Webhooks has it, at least once and in order.

  $ tagloom serve npm.tagloom --trust-header X-Forwarded-User --trust-proxy 10.0.0.5/32 --allow-host tags.example.org
  $ TAGLOOM_WEBHOOK_SECRET=whsec_… tagloom serve npm.tagloom --webhook https://example.org/hooks/tagloom
`;

export function addPeopleOptions(command: Command): Command {
  return command
    .option('--public', 'let anyone read, where users or a proxy say who may write')
    .option('--trust-header <name>', 'header in which a proxy names who asks, such as X-Forwarded-User')
    .option('--trust-proxy <addresses>', 'where that proxy connects from: ADDRESS/BITS; repeatable', several)
    .addOption(
      new Option('--trust-role <role>', 'what people may do whom the proxy names (default: review)').choices(ROLES),
    )
    .option('--trust-role-header <name>', 'header with roles, or groups called like them, from that proxy')
    .option('--webhook <url>', 'send what is decided to this address; repeatable', parseUrls)
    .addOption(
      new Option('--webhook-secret <text>', 'signs what is sent: whsec_BASE64, or 16 bytes or more').env(
        'TAGLOOM_WEBHOOK_SECRET',
      ),
    );
}

/** As the service takes them. */
export function peopleOptions(options: PeopleOptions): Pick<ServiceOptions, 'isPublic' | 'proxy' | 'webhooks'> {
  const { webhook: urls = [], webhookSecret: secret } = options;
  if (urls.length > 0 && secret === undefined) {
    const cure = 'Make one, whsec_$(openssl rand -base64 32), and give it as TAGLOOM_WEBHOOK_SECRET.';
    throw new InputError({ got: 'a webhook without a secret', expected: 'both', cure });
  }
  return {
    isPublic: options.public ?? false,
    proxy: proxyOf(options),
    ...(urls.length > 0 && secret !== undefined && { webhooks: { urls, secret } }),
  };
}

function proxyOf({ trustHeader: header, trustProxy: from = [], trustRole: role, trustRoleHeader }: PeopleOptions) {
  if (header !== undefined) return { header, from, role, roleHeader: trustRoleHeader };
  if (from.length === 0 && role === undefined && trustRoleHeader === undefined) return undefined;
  const cure = 'Name the header in which the proxy says who asks: --trust-header X-Forwarded-User.';
  throw new InputError({ got: 'options about a proxy without --trust-header', expected: 'it, too', cure });
}

function several(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...namesIn(text)];
}

function parseUrls(text: string, before: readonly string[] = []): readonly string[] {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('Expected an http: or https: URL.');
  return [...before, text];
}
