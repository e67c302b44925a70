// Addresses of Spark Connect servers, as Spark writes them.

import { describe, expect, it } from 'vitest';
import { parseConnectionString } from '../../../src/tables/spark/connection-string.ts';

const SESSION = '00112233-4455-4677-8899-aabbccddeeff';

describe('parseConnectionString(text)', () => {
  it.each([
    ['sc://localhost', 'localhost:15002'],
    ['sc://localhost/', 'localhost:15002'],
    ['sc://localhost/;', 'localhost:15002'],
    ['sc://Spark.Example.org:443', 'spark.example.org:443'],
    ['sc://10.0.0.1:15003/;user_id=ann', '10.0.0.1:15003'],
    ['sc://[::1]', '[::1]:15002'],
    ['sc://[2001:db8::1]:7077/', '[2001:db8::1]:7077'],
  ])('reads the host and the port of %s', (text, target) => {
    expect(parseConnectionString(text)).toMatchObject({ target, useTls: false });
  });

  it('reads what Spark names, and makes headers of the rest', () => {
    const text = `sc://h:1/;user_id=ann%20b;user_agent=x;session_id=${SESSION};X-Cluster=a%3Bb%3D%25;use_ssl=TRUE;token=t%2Fk;grpc_keepalive_time_ms=1`;
    expect(parseConnectionString(text)).toEqual({
      target: 'h:1',
      useTls: true,
      token: 't/k',
      userId: 'ann b',
      userAgent: 'x',
      sessionId: SESSION,
      headers: new Map([['x-cluster', 'a;b=%']]),
    });
  });

  it.each([
    ['sc://host/;token=t', true],
    ['sc://host/;use_ssl=true', true],
    ['sc://host', false],
    ['sc://host/;use_ssl=false', false],
    ['sc://localhost/;token=t', false],
    ['sc://127.0.0.1/;token=t', false],
    ['sc://[::1]/;token=t', false],
    ['sc://localhost/;token=t;use_ssl=false', false],
    ['sc://localhost/;token=t;use_ssl=true', true],
    ['sc://localhost.example.org/;token=t', true],
    ['sc://127.0.0.1.example.org/;token=t', true],
  ])('%s: TLS %s', (text, useTls) => {
    expect(parseConnectionString(text).useTls).toBe(useTls);
  });

  it.each([
    ['localhost:15002', 'an address without "sc://"'],
    ['http://localhost', 'an address that starts with "http://"'],
    ['sc://', 'an address without a host'],
    ['sc://:15002', 'an address without a host'],
    ['sc://h:port', 'the host "h:port"'],
    ['sc://h:0', 'the port 0'],
    ['sc://h:65536', 'the port 65536'],
    ['sc://::1', 'an address without a host'],
    ['sc://h/path', 'something other than parameters behind the host'],
    ['sc://h/path;a=b', 'something other than parameters behind the host'],
    ['sc://h;a=b', 'something other than parameters behind the host'],
    ['sc://ann:pw@h', 'a user or a password before the host'],
    ['sc://h/;token', 'a parameter "token" that is not name=value'],
    ['sc://h/;=x', 'a parameter "" that is not name=value'],
    ['sc://h/;a=1;a=2', 'the parameter "a" twice'],
    ['sc://h/;a=%', 'a value of "a" with a broken % sequence'],
    ['sc://h/;use_ssl=yes', 'use_ssl=yes'],
    ['sc://h/;session_id=1', 'session_id=1'],
    ['sc://h/;token=%0A', 'a value of "token" that cannot be sent as a header'],
    ['sc://h/;token=', 'a value of "token" that cannot be sent as a header'],
    ['sc://h/;a%20b=1', 'a parameter "a%20b" that cannot be a header'],
    ['sc://h/;grpc-timeout=1', 'a parameter "grpc-timeout" that cannot be a header'],
    ['sc://h/;token=t;use_ssl=false', 'a token with use_ssl=false for h'],
  ])('refuses %s', (text, got) => {
    expect(() => parseConnectionString(text)).toThrow(`${got}, expected a Spark Connect address (sc://HOST:PORT). `);
  });

  it('never shows a token or a password in an error', () => {
    for (const text of ['sc://h/;token=hush=hush', 'sc://ann:hush@h', 'sc://h/;token=hush%', 'sc://h/;token=hush%0A']) {
      let message = '';
      try {
        parseConnectionString(text);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toContain('expected a Spark Connect address');
      expect(message).not.toContain('hush');
    }
  });
});
