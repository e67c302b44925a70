// Twenty curators at two instances on one PostgreSQL server, one of which is killed in the middle: no card in two hands, no decision
// lost or double, each under the right name. TAGLOOM_PEOPLE_MINUTES says for how long they work; default 1.

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Random } from '../../src/random.ts';
import type { LogEntry } from '../../src/serving/people/log-store.ts';
import { ReviewStore } from '../../src/serving/reviews/review-store.ts';
import { modelFile, ownFolder } from '../serving/http/service-under-test.ts';
import { startPostgres, whyNoPostgres } from '../serving/reviews/postgres.ts';
import { type Served, served } from '../serving/served-process.ts';

const MINUTES = Number(process.env.TAGLOOM_PEOPLE_MINUTES ?? 1);
const NUM_CURATORS = 20;
const MOST_HELD = 3;

interface Card {
  readonly object: string;
  readonly tag: string;
}

/** What one session held, by the answers, in the database's time. */
interface Hold extends Card {
  readonly session: string;
  readonly from: string;
  until: string;
}

interface Acknowledged extends Card {
  readonly id: string;
  readonly who: string;
  readonly decision: string;
  isUndone: boolean;
}

/** Everything that the curators were told. */
class Diary {
  readonly holds: Hold[] = [];
  readonly decisions = new Map<string, Acknowledged>();
  numConflicts = 0;
  numFailures = 0;
}

/** The service could not answer now. */
class AwayError extends Error {}

class Curator {
  readonly #name: string;
  readonly #token: string;
  readonly #instances: readonly { url: string }[];
  readonly #random: Random;
  readonly #diary: Diary;
  #session: string;
  #held = new Map<string, Hold>();
  #skipped: Card[] = [];
  #last: Acknowledged | undefined;

  constructor(place: number, token: string, instances: readonly { url: string }[], diary: Diary) {
    this.#name = `curator ${place}`;
    this.#token = token;
    this.#instances = instances;
    this.#random = new Random(place, 'curator');
    this.#diary = diary;
    this.#session = `session-${place}-`.padEnd(20, '0');
  }

  async work(until: number): Promise<void> {
    while (performance.now() < until) {
      try {
        await this.#round();
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof AwayError)) throw error; // of fetch: no connection
        this.#diary.numFailures++; // the instance was killed, or is starting
        await sleep(50);
      }
    }
  }

  async #round(): Promise<void> {
    const cards = await this.#claim();
    if (cards.length === 0) {
      this.#skipped = [];
      await this.#undoLast();
      return;
    }
    for (const card of cards) {
      await sleep(this.#random.below(20));
      const dice = this.#random.below(10);
      if (dice < 2) this.#skipped.push(card);
      else await this.#decide(card, dice < 6 ? 'accept' : 'reject');
      if (dice > 4 && dice < 8) await this.#undoLast(); // so that the queue never runs dry
    }
  }

  /** What the answer does not name any more was let go at its time, at the latest. */
  async #claim(): Promise<readonly Card[]> {
    const body = { session: this.#session, limit: MOST_HELD, without: this.#skipped.slice(-50) };
    const { status, json } = await this.#ask('POST', '/v1/queue/claims', body);
    expect([status, status === 200 ? '' : json]).toEqual([200, '']);
    const { pairs, at, until } = json as { pairs: Card[]; at: string; until: string };
    for (const hold of this.#held.values()) if (hold.until > at) hold.until = at;
    this.#held = new Map();
    for (const card of pairs) {
      const hold = { ...card, session: this.#session, from: at, until };
      this.#held.set(keyOf(card), hold);
      this.#diary.holds.push(hold);
    }
    return pairs;
  }

  async #decide(card: Card, decision: string): Promise<void> {
    const { object, tag } = card;
    const { status, json } = await this.#ask('POST', '/v1/reviews', { object, tag, decision });
    if (status === 409) {
      this.#diary.numConflicts++;
      return;
    }
    expect([200, 201]).toContain(status); // 200: it was kept before the kill, but nobody heard
    const { id, decidedAt } = json as { id: string; decidedAt: string };
    const made = { object, tag, id, who: this.#name, decision, isUndone: false };
    this.#diary.decisions.set(id, made);
    this.#last = made;
    const hold = this.#held.get(keyOf(card));
    const ended = decidedAt.replace('Z', '000Z'); // in microseconds, as claims are
    if (hold !== undefined && hold.until > ended) hold.until = ended;
  }

  async #undoLast(): Promise<void> {
    const made = this.#last;
    if (made === undefined) return;
    this.#last = undefined;
    made.isUndone = true; // from here on it may be, answered or not
    const { status } = await this.#ask('DELETE', `/v1/reviews/${made.id}`);
    expect([200, 404]).toContain(status);
  }

  async #ask(method: string, path: string, body?: object): Promise<{ status: number; json: unknown }> {
    const { url } = this.#instances[this.#random.below(this.#instances.length)];
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (answer.status === 503) throw new AwayError(await answer.text());
    return { status: answer.status, json: await answer.json() };
  }
}

function keyOf({ object, tag }: Card): string {
  return `${object}\t${tag}`;
}

/** Pairs of holds of one card by two sessions that overlap in the database's time. */
function overlaps(holds: readonly Hold[]): string[] {
  const byCard = new Map<string, Hold[]>();
  for (const hold of holds) byCard.set(keyOf(hold), [...(byCard.get(keyOf(hold)) ?? []), hold]);
  const found: string[] = [];
  for (const [card, all] of byCard) {
    all.sort((a, b) => (a.from < b.from ? -1 : 1));
    let last: Hold | undefined;
    for (const hold of all) {
      if (last !== undefined && last.session !== hold.session && hold.from < last.until)
        found.push(`${card}: ${last.session} until ${last.until}, ${hold.session} from ${hold.from}`);
      if (last === undefined || hold.until > last.until) last = hold;
    }
  }
  return found;
}

it.skipIf(whyNoPostgres !== undefined)(
  `20 curators at two instances for ${MINUTES} minutes never hold the same card, lose no decision and sign with their names`,
  { timeout: 60_000 * (MINUTES + 2) },
  async () => {
    const postgres = await startPostgres();
    const url = await postgres.database('people');
    const path = join(await ownFolder(), 'model.tagloom');
    await cp(await modelFile(), path);
    const store = await ReviewStore.open(url);
    const by = { by: '', mayLeaveNone: true };
    const tokens: string[] = [];
    for (let i = 0; i < NUM_CURATORS; i++) tokens.push((await store.users.add(`curator ${i}`, 'review', by)).token);
    const serve = () => served(path, '--reviews', url, '--rate-limit', '100000');
    const instances: Served[] = await Promise.all([serve(), serve()]);

    const diary = new Diary();
    const until = performance.now() + 60_000 * MINUTES;
    const curators = tokens.map((token, i) => new Curator(i, token, instances, diary));
    const working = Promise.all(curators.map((curator) => curator.work(until)));
    await sleep(30_000 * MINUTES);
    await instances[1].end('SIGKILL');
    await sleep(1000);
    instances[1] = await serve();
    await working;
    for (const instance of instances) expect(await instance.end('SIGTERM')).toBe(0);

    await check(store, diary);
    await store.close();
    await postgres.remove();
  },
);

async function check(store: ReviewStore, diary: Diary): Promise<void> {
  expect(overlaps(diary.holds)).toEqual([]);
  const log: LogEntry[] = [];
  for await (const entry of store.log.all()) log.push(entry);
  const isDecision = ({ action }: LogEntry) => action === 'accept' || action === 'reject';
  const decided = new Map(log.filter(isDecision).map((entry) => [String(entry.detail.review), entry]));
  expect(decided.size, 'none twice in the log').toBe(log.filter(isDecision).length);
  const undone = new Set(log.filter(({ action }) => action === 'undo').map(({ detail }) => String(detail.review)));

  const standing = new Map<string, { id: string; curator: string; decision: string }>();
  for (const decision of ['accept', 'reject'] as const) {
    for await (const review of store.all(decision)) {
      expect(standing.has(keyOf(review)), 'two reviews of one pair').toBe(false);
      standing.set(keyOf(review), review);
    }
  }
  for (const made of diary.decisions.values()) {
    const entry = decided.get(made.id);
    expect([entry?.who, entry?.action, entry?.object, entry?.tag]).toEqual([
      made.who,
      made.decision,
      made.object,
      made.tag,
    ]);
    const now = standing.get(keyOf(made));
    if (!made.isUndone) expect([now?.id, now?.curator, now?.decision]).toEqual([made.id, made.who, made.decision]);
    else if (now?.id !== made.id) expect(undone.has(made.id)).toBe(true);
  }
  for (const { action, who, detail } of log) {
    // each undoes what is their own
    if (action === 'undo') expect(decided.get(String(detail.review))?.who).toBe(who);
  }
  for (const { id, curator } of standing.values()) expect(decided.get(id)?.who).toBe(curator);
  const { numConflicts, numFailures } = diary;
  process.stderr.write(
    `${diary.holds.length} claims, ${diary.decisions.size} decisions, ${undone.size} undos, ` +
      `${numConflicts} conflicts, ${numFailures} failures\n`,
  );
  expect(diary.decisions.size).toBeGreaterThan(100);
  expect(undone.size).toBeGreaterThan(10);
}
