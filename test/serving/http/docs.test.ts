// The reference at /docs: it has all that the OpenAPI document has, its examples work, and it needs nothing from elsewhere.

import { beforeAll, describe, expect, it } from 'vitest';
import { DECISIONS } from '../../../src/serving/http/schemas.ts';
import type { Service } from '../../../src/serving/http/service.ts';
import { type Document, documentOf } from './arbitrary-requests.ts';
import { ask, serviceOf } from './service-under-test.ts';

let service: Service;
let document: Document;
let page: string;
beforeAll(async () => {
  service = await serviceOf({ token: 'hush' });
  document = await documentOf(service);
  page = (await ask(service, '/docs')).text;
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** The part of the page about an operation, as text. */
function partOf(id: string): string {
  const [, rest = ''] = page.split(`<section class="operation" id="${id}"`);
  return unescaped(rest.split('</section>')[0]);
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('/docs', () => {
  it('is a page that needs no script, no style but its own and nothing from elsewhere', async () => {
    const { status, headers } = await ask(service, '/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("style-src 'self'");
    expect(headers.etag).toMatch(/^"/);
    expect(page).not.toMatch(/<script|<style| style=| on\w+=|(src|href)="(https?:)?\/\//);
    const style = await ask(service, '/docs.css');
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect(style.text).toContain('prefers-color-scheme: dark');
    expect(style.text).not.toMatch(/url\(|@import/);
  });

  it('has every operation, with an anchor, its parameters, an example and its problems', () => {
    for (const { path, method, operation } of operations()) {
      const part = partOf(operation.operationId);
      expect(part).toContain(`<code class="method">${method.toUpperCase()}</code><code>${path}</code>`);
      expect(page).toContain(`<a href="#${operation.operationId}">`);
      for (const { name } of operation.parameters ?? []) expect(part).toContain(`<code>${name}</code>`);
      for (const status of Object.keys(operation.responses)) {
        expect(part).toContain(Number(status) < 400 ? `Answer ${status}` : `<a href="#problem-${status}">`);
        if (Number(status) >= 400) expect(page).toContain(`id="problem-${status}"`);
      }
    }
  });

  it('has no link that leads nowhere', () => {
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(` id="${id}"`);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('says what values are allowed', () => {
    expect(partOf('listReviews')).toMatch(new RegExp(`<code>decision</code>.*\\n<td>${DECISIONS.join(', ')}`));
    expect(partOf('suggest')).toMatch(/<code>limit<\/code>.*\n<td>1 to 100; default 10/);
    expect(partOf('decideBatch')).toContain('<code>reviews[].decision</code> <span class="required">required</span>');
    expect(partOf('suggestBatch')).toContain('up to 1,000 entries');
  });

  it('has examples that work: each is a valid request', async () => {
    for (const { method, operation } of operations()) {
      const [, command = ''] = /<code>(curl [^<]*)<\/code>/s.exec(partOf(operation.operationId)) ?? [];
      const [, url = ''] = /'(http[^']*)'/.exec(command) ?? [];
      const [, payload] = /-d '([^']*)'/.exec(command) ?? [];
      const isForAll = method === 'get' && ['open', 'read'].includes(operation['x-role']);
      expect(command.includes('Authorization: Bearer $TAGLOOM_TOKEN')).toBe(!isForAll);
      const headers = { authorization: 'Bearer hush', ...(payload && { 'content-type': 'application/json' }) };
      const { pathname, search } = new URL(url);
      const answer = await ask(service, `${pathname}${search}`, {
        ...{ method: method.toUpperCase() as 'GET', headers },
        ...(payload && { payload }),
      });
      expect([200, 201, 202, 404, 409], `${command}: ${answer.text}`).toContain(answer.status);
      if (answer.status === 409) expect(url).toMatch(/training|restore/); // nothing is decided, and nothing trained
      if (answer.status === 404) expect(answer.json.detail).not.toContain('Nothing answers');
    }
  });

  it('shows the address it was asked at', async () => {
    const at = async (host: string) => (await ask(service, '/docs', { headers: { host } })).text;
    expect(await at('localhost:8080')).toContain('http://localhost:8080/v1/model');
    expect(await at('192.0.2.7')).toContain('http://192.0.2.7/v1/model');
    const named = await serviceOf({ allowedHosts: ['tags.example'] });
    const { text } = await ask(named, '/docs', { headers: { host: 'tags.example' } });
    expect(text).toContain('https://tags.example/v1/model');
    expect(text).not.toContain('TAGLOOM_TOKEN');
  });
});
