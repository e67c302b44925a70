// The page when several people work: signing in, users, claims and live counts between two browsers, who did what.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ask, post } from '../serving/http/service-under-test.ts';
import { faultsOfLooks } from './looks.ts';
import { decideElsewhere, heading, queueOf, type Served, said, serve, texts, visit } from './page-under-test.ts';

const SESSION = 'kim-session-0123456789';
const AT = '4 Mar, 10:00';

/** With an administrator, Ann, and a reviewer, Bob. */
async function staffed(): Promise<{ served: Served; ann: string; bob: string }> {
  const served = await serve();
  const ann = (await post(served.service, '/v1/users', { name: 'Ann', role: 'administrate' })).json.token;
  const headers = { authorization: `Bearer ${ann}` };
  const bob = (await post(served.service, '/v1/users', { name: 'Bob', role: 'review' }, { headers })).json.token;
  return { served, ann, bob };
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const claim = ({ service }: Served, pairs: readonly { object: string; tag: string }[], curator = 'Kim') =>
  post(service, '/v1/queue/claims', {
    ...{ session: SESSION, curator, limit: 100 },
    pairs: pairs.map(({ object, tag }) => ({ object, tag })),
  });

describe('a service with users', () => {
  it('asks for a token, refuses a wrong one, says who is in and lets them out', async () => {
    const { served, bob } = await staffed();
    const { page, faults } = await visit(served, '/', { expected: /401/ });
    await heading(page).toEqual(['Sign in to tagloom']);
    await signIn(page, 'guess');
    await texts(page.getByRole('alert')).toEqual(['The token is wrong.']);
    await signIn(page, bob);
    await page.locator('.card').waitFor();
    await page.keyboard.press('a');
    await texts(page.locator('.session')).toEqual([expect.stringMatching(/1 decided by you today/)]);
    await page.reload();
    await page.getByRole('button', { name: 'Signed in as Bob' }).click();
    await texts(page.locator('.who-menu')).toEqual(['BobMay reviewWho did whatSign out']);
    const { entries } = (await ask(served.service, '/v1/log', { headers: { authorization: `Bearer ${bob}` } })).json;
    expect(entries[0]).toMatchObject({ who: 'Bob', action: 'accept' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page).toEqual(['Sign in to tagloom']);
    const kept = await page.evaluate(() => Object.values(localStorage).join());
    for (const one of [bob, 'accept']) expect(kept).not.toContain(one);
    expect(faults).toEqual([]);
  });

  it('lets an administrator add, change and remove people, with a token shown once', async () => {
    const { served, ann } = await staffed();
    const { page, faults } = await visit(served, '/people', { expected: /401/ });
    await signIn(page, ann);
    await heading(page).toEqual(['People']);
    await page.getByLabel('Name').fill('Cleo');
    await page.locator('.add-user select').selectOption('read');
    await page.getByRole('button', { name: 'Add user' }).click();
    const token = await page.locator('.token').textContent();
    expect(token).toMatch(/^tagloom_/);
    const roleOf = async (given: string | null) => {
      const { status, json } = await ask(served.service, '/v1/me', { headers: { authorization: `Bearer ${given}` } });
      return status === 200 ? json.role : status;
    };
    expect(await roleOf(token)).toBe('read');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    expect(await page.content()).not.toContain(token);
    await page.getByLabel('Role of Cleo').selectOption('review');
    await expect.poll(() => roleOf(token)).toBe('review');
    await page.getByRole('button', { name: 'New token for Cleo' }).click();
    await expect.poll(() => roleOf(token)).toBe(401);
    await page.getByRole('button', { name: 'Remove Cleo' }).click();
    await page.getByRole('button', { name: 'Yes, remove Cleo' }).click();
    await texts(page.locator('.user strong')).toEqual(['Ann', 'Bob']);
    await expect.poll(() => page.locator('.token').count()).toBe(0); // hers is of no use any longer
    await page.getByLabel('Role of Ann').selectOption('read'); // the last who may administrate
    await texts(page.locator('.notice.fault p')).toEqual([expect.stringContaining('another')]);
    await expect.poll(() => page.getByLabel('Role of Ann').inputValue()).toBe('administrate');
    await page.getByRole('button', { name: 'New token for Ann' }).click();
    await expect.poll(() => roleOf(ann)).toBe(401);
    await texts(page.locator('.user strong')).toEqual(['Ann', 'Bob']); // this browser goes on with the new one
    expect(await roleOf(await page.locator('.token').textContent())).toBe('administrate');
    expect(faults.filter((fault) => !/409/.test(fault))).toEqual([]);
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it('signs changes of the vocabulary with the name of who is in, whatever name the browser kept', async () => {
    const { served, bob } = await staffed();
    const headers = { authorization: `Bearer ${bob}` };
    const { page, faults } = await visit(served, '/vocabulary?query=t001', { expected: /401/ });
    await page.evaluate(() => localStorage.setItem('tagloom.preferences', '{"curator":"Eve"}'));
    await page.reload();
    await signIn(page, bob);
    await page.getByLabel('Select t001').check();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('New name').fill('odd one');
    await texts(page.locator('.change-preview strong')).toEqual(['Rename t001 to odd one.']);
    await page.keyboard.press('Enter');
    await texts(page.locator('.notice p')).toEqual(['Done: rename t001 to odd one']);
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await page.getByLabel('Select t001').waitFor();
    const { changes } = (await ask(served.service, '/v1/vocabulary/changes', { headers })).json;
    expect(changes).toMatchObject([{ curator: 'Bob', undoneBy: 'Bob' }]);
    expect(faults).toEqual([]);
  });

  it('shows a reader everything but what decides', async () => {
    const { served, ann } = await staffed();
    const headers = { authorization: `Bearer ${ann}` };
    const { json } = await post(served.service, '/v1/users', { name: 'Rea', role: 'read' }, { headers });
    const { page, faults } = await visit(served, '/', { expected: /401/ });
    await signIn(page, json.token);
    await texts(page.locator('.card-foot > .soft')).toEqual(['You may read here, not decide.']);
    await page.keyboard.press('a');
    await said(page).toBe('You may read here, not decide.');
    expect((await ask(served.service, '/v1/reviews', { headers })).json.reviews).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('begins with a first one, who is signed in by the page', async () => {
    const served = await serve();
    const { page } = await visit(served, '/people', { expected: /401/ });
    await page.getByLabel('Name').fill('Ann');
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByRole('button', { name: 'Sign in as Ann' }).click();
    await texts(page.locator('.user strong')).toEqual(['Ann']);
    expect((await ask(served.service, '/v1/queue')).status).toBe(401);
  });
});

describe('two curators', () => {
  it('are not shown the same card: the focus goes past what others hold, and shows who is at work', async () => {
    const served = await serve();
    const rows = await queueOf(served);
    await claim(served, [rows[0], rows[2]]);
    const { page, faults } = await visit(served, '/');
    await texts(page.locator('.at-work')).toEqual(['Kim is at work, too']);
    await texts(page.locator('.card h2')).toEqual([rows[1].title]);
    await texts(page.locator('.queue-row.held .held-by')).toEqual(['Kim', 'Kim']);
    await page.keyboard.press('a'); // past the third
    await texts(page.locator('.card h2')).toEqual([rows[3].title]);
    await page.keyboard.press('k');
    await page.keyboard.press('k'); // not to the first
    await texts(page.locator('.card h2')).toEqual([rows[1].title]);
    // what this page holds is given to nobody else
    await expect.poll(async () => (await claim(served, rows.slice(3, 6))).json.pairs).toEqual([]);
    await page.keyboard.press('j');
    await texts(page.locator('.card h2')).toEqual([rows[3].title]);
    await page.keyboard.press('s'); // what was skipped is for others
    await expect.poll(async () => (await claim(served, [rows[3]])).json.pairs, { timeout: 6000 }).toHaveLength(1);
    await texts(page.locator('.at-work')).toEqual(['Kim is at work, too']);
    await ask(served.service, `/v1/queue/claims/${SESSION}`, { method: 'DELETE' });
    await texts(page.locator('.at-work')).toEqual([]);
    expect(faults).toEqual([]);
    expect(await faultsOfLooks(page)).toEqual([]);
  });

  it('see one another decide without a reload, and counts go with it', async () => {
    const served = await serve();
    const rows = await queueOf(served, '&minConfidence=0.5');
    const { page, faults } = await visit(served, '/');
    await texts(page.locator('.session')).toEqual([
      expect.stringMatching(/^\d+ open at 50 % or more, 0 decided today$/),
    ]);
    const numOpen = async () =>
      Number.parseInt((await page.locator('.session strong').first().textContent()) ?? '', 10);
    const before = await numOpen();
    await decideElsewhere(served, rows[0], 'reject', 'Kim');
    await texts(page.locator('.card .decision')).toEqual([expect.stringMatching(/^Rejected by Kim on/)]);
    await texts(page.locator('.session')).toEqual([expect.stringMatching(/1 decided today: 0 accepted, 1 rejected$/)]);
    await expect.poll(numOpen).toBeLessThan(before);
    await page.keyboard.press('a'); // nothing to decide there: on to the next
    await said(page).toMatch(/^Decided by others\. /);
    const { reviews } = (await ask(served.service, '/v1/reviews')).json;
    expect(reviews).toHaveLength(1);
    await ask(served.service, `/v1/reviews/${reviews[0].id}`, { method: 'DELETE' });
    await page.keyboard.press('k');
    await page.getByRole('button', { name: 'Add tag' }).waitFor(); // open again
    expect(faults).toEqual([]);
  });

  it('in a grid see who is at work on a card, and go past it', async () => {
    const served = await serve();
    const rows = await queueOf(served);
    await claim(served, [rows[1]]);
    const { page } = await visit(served, '/?view=grid');
    await texts(page.locator('.grid-card.held .held-by')).toEqual(['Kim is at work on it']);
    await page.keyboard.press('j');
    await texts(page.locator('.grid-card.active .grid-title')).toEqual([rows[2].title]);
  });
});

describe('the log', () => {
  it('shows who did what, by filters that stand in the address, and takes it away', async () => {
    const served = await serve();
    const rows = await queueOf(served);
    await decideElsewhere(served, rows[0], 'accept', 'Kim');
    await decideElsewhere(served, rows[1], 'reject', 'Lee');
    const { page, faults } = await visit(served, '/reviews');
    await page.getByRole('link', { name: 'Who did what' }).click();
    await texts(page.locator('.log-words')).toEqual([
      `Lee rejected ${rows[1].tag} for ${rows[1].object}${AT}`,
      `Kim accepted ${rows[0].tag} for ${rows[0].object}${AT}`,
    ]);
    await page.getByRole('link', { name: 'Kim' }).click();
    await texts(page.locator('.log-words')).toEqual([`Kim accepted ${rows[0].tag} for ${rows[0].object}${AT}`]);
    expect(new URL(page.url()).search).toBe('?who=Kim');
    const href = await page.getByRole('link', { name: 'Download the log' }).getAttribute('href');
    expect((await ask(served.service, String(href))).text).toMatch(/^at\twho\taction/);
    await page.getByRole('button', { name: 'Remove the filter Kim' }).click();
    await page.getByLabel('Action', { exact: true }).selectOption('reject');
    await texts(page.locator('.log-words')).toEqual([`Lee rejected ${rows[1].tag} for ${rows[1].object}${AT}`]);
    expect(faults).toEqual([]);
    expect(await faultsOfLooks(page)).toEqual([]);
  });
});
