import { describe, expect, it, vi } from 'vitest';
import { addReviews } from '../../src/commands/reviews.ts';
import { addUsers } from '../../src/commands/users.ts';
import { ReviewStore } from '../../src/serving/reviews/review-store.ts';
import { writeServiceAddress } from '../../src/serving/reviews/service-address.ts';
import { emptyStoreFolder } from '../serving/reviews/embedded.ts';
import { runCommand } from './run-command.ts';

vi.setConfig({ testTimeout: 60_000 }); // databases take seconds to start, more on a busy machine

const users = async (...args: string[]) => (await runCommand(addUsers, ['users', ...args])).out;

describe('tagloom users', () => {
  it('adds, lists, changes and removes users, and shows a token once', async () => {
    const folder = await emptyStoreFolder();
    expect(await users('list', folder)).toMatch(/^There are no users: without --token, anyone who can connect/);
    const early = await runCommand(addUsers, ['users', 'add', folder, 'zoe', '--role', 'read']);
    expect(early.err).toMatch(/^warning: nobody can administrate through the service\./);
    await users('remove', folder, 'zoe');
    expect(await users('list', folder)).toMatch(/^All users were removed: a service does not open/);
    const added = await users('add', folder, 'ann', '--role', 'administrate');
    expect(added).toMatch(/^ann \(administrate\)\ntagloom_[\w-]{43}\nThis token is not shown again\.\n$/);
    const { token, user } = JSON.parse(await users('add', folder, 'bob', '--json'));
    expect([token.length, user]).toEqual([51, { name: 'bob', role: 'review', createdAt: expect.any(String) }]);
    expect(await users('role', folder, 'bob', 'read')).toBe('bob (read)\n');
    expect(await users('token', folder, 'bob')).not.toContain(token);
    expect(await users('list', folder)).toMatch(/^ann {2}administrate {2}since \S+\nbob {2}read {10}since \S+\n$/);
    expect(await users('remove', folder, 'bob')).toBe('bob (read): removed\n');
    const list = JSON.parse(await users('list', folder, '--removed', '--json'));
    expect(list.users.map(({ name, removedAt }: Record<string, string>) => [name, removedAt !== undefined])).toEqual([
      ['ann', false],
      ['bob', true],
      ['zoe', true],
    ]);
    await expect(users('role', folder, 'eve', 'read')).rejects.toThrow(/got the name "eve", which no user has/);
    await expect(users('role', folder, 'ann', 'boss')).rejects.toThrow(/expected read, review, administrate/);
    const { out } = await runCommand(addReviews, ['reviews', 'log', folder, '--action', 'user.role']);
    for (const last of [
      ['role', folder, 'ann', 'read'],
      ['remove', folder, 'ann'],
    ])
      expect((await runCommand(addUsers, ['users', ...last])).err).toMatch(/^warning: nobody can administrate/);
    expect(out).toMatch(/^at\twho\taction\tobject\ttag\tdetail\n\S+Z\t\tuser.role\t\t\t\{.*"bob".*\}\n$/);
  });

  it('says what to ask a service that has the folder open', async () => {
    const folder = await emptyStoreFolder();
    const store = await ReviewStore.open(folder);
    await writeServiceAddress(folder, 'http://127.0.0.1:8080');
    await expect(users('add', folder, "o'hara")).rejects.toThrow(
      `ask it: curl -X POST -H "Authorization: Bearer $TAGLOOM_TOKEN" -H 'Content-Type: application/json' ` +
        `-d '{"name":"o'\\''hara","role":"review"}' 'http://127.0.0.1:8080/v1/users'`,
    );
    await expect(users('remove', folder, 'a b')).rejects.toThrow(/curl -X DELETE .*\/v1\/users\/a%20b'/);
    const log = runCommand(addReviews, ['reviews', 'log', folder, '--who', 'ann', '--json']);
    await expect(log).rejects.toThrow(
      `curl -H "Authorization: Bearer $TAGLOOM_TOKEN" 'http://127.0.0.1:8080/v1/log/export?who=ann&format=jsonl'`,
    );
    await store.close();
  });
});

describe('tagloom reviews log', () => {
  it('writes what was done as a table, JSON Lines or JSON', async () => {
    const folder = await emptyStoreFolder();
    const store = await ReviewStore.open(folder);
    const [{ review }] = await store.decide([{ object: 'o', tag: 't', decision: 'accept', curator: 'ann' }]);
    await store.undo(review.id, 'bob');
    await store.close();
    const log = async (...args: string[]) => (await runCommand(addReviews, ['reviews', 'log', folder, ...args])).out;
    expect((await log()).split('\n').map((line) => line.split('\t').slice(1, 5))).toEqual([
      ['who', 'action', 'object', 'tag'],
      ['ann', 'accept', 'o', 't'],
      ['bob', 'undo', 'o', 't'],
      [],
    ]);
    const lines = (await log('--format', 'jsonl', '--who', 'bob')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).action)).toEqual(['undo']);
    expect(JSON.parse(await log('--json')).map(({ who }: { who: string }) => who)).toEqual(['ann', 'bob']);
    expect(JSON.parse(await log('--json', '--since', '2100-01-01'))).toEqual([]);
    await expect(log('--since', 'yesterday')).rejects.toThrow(/Expected a time such as/);
  });
});
