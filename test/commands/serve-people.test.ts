import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addPeopleOptions, type PeopleOptions, peopleOptions } from '../../src/commands/serve-people.ts';

function optionsOf(...args: string[]): ReturnType<typeof peopleOptions> {
  const command = addPeopleOptions(new Command('serve').exitOverride().configureOutput({ writeErr: () => {} }));
  command.parse(args, { from: 'user' });
  return peopleOptions(command.opts<PeopleOptions>());
}

describe('tagloom serve for several people', () => {
  it('takes a header of a proxy, and where the proxy is', () => {
    const proxy = ['--trust-header', 'X-Forwarded-User', '--trust-proxy', '10.0.0.5/32', '--trust-proxy', 'fd00::/8'];
    expect(optionsOf(...proxy, '--trust-role', 'read', '--public')).toEqual({
      isPublic: true,
      proxy: { header: 'X-Forwarded-User', from: ['10.0.0.5/32', 'fd00::/8'], role: 'read', roleHeader: undefined },
    });
    expect(optionsOf()).toEqual({ isPublic: false, proxy: undefined });
  });

  it('refuses half of what a proxy needs, and roles that there are not', () => {
    expect(() => optionsOf('--trust-proxy', '10.0.0.5')).toThrow(/Name the header in which the proxy says who asks/);
    expect(() => optionsOf('--trust-role-header', 'X-Groups')).toThrow(/options about a proxy without --trust-header/);
    expect(() => optionsOf('--trust-header', 'X-User', '--trust-role', 'boss')).toThrow(
      /Allowed choices are read, review/,
    );
  });

  it('sends to several webhooks, and to none without a secret', () => {
    const urls = ['--webhook', 'https://a.example/x', '--webhook', 'https://b.example/y'];
    expect(() => optionsOf(...urls)).toThrow(/got a webhook without a secret.*openssl rand -base64 32/);
    expect(optionsOf(...urls, '--webhook-secret', 'whsec_x').webhooks).toEqual({
      urls: ['https://a.example/x', 'https://b.example/y'],
      secret: 'whsec_x',
    });
    expect(() => optionsOf('--webhook', 'mailto:a@b')).toThrow(/Expected an http: or https: URL/);
  });
});
