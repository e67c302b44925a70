// A nightly job: reads products and their tags from PostgreSQL, learns from the tags that people gave, and adds the missing ones that
// are at least 80 % likely. What it added is in tagloom_added, so that it never learns from itself and never adds a tag twice, not
// even one that somebody took off again.

import pg from 'pg';
import { graphFromItems, Recommender, train } from 'tagloom';

const MIN_CONFIDENCE = 0.8;
const LOCK = 7_461_001; // any number that no other job locks

const CREATE = `create table if not exists tagloom_added (
  product bigint not null references products (id) on delete cascade,
  tag text not null, confidence real not null, added timestamptz not null default now(),
  primary key (product, tag))`;

const READ = `select p.id::text, p.title, p.description as text,
  array(select unnest(p.tags) except select tag from tagloom_added where product = p.id order by 1) as tags
  from products p order by p.id`;

const WRITE = `with added as (
    insert into tagloom_added (product, tag, confidence)
    select product, tag, confidence from unnest($1::bigint[], $2::text[], $3::real[]) as found (product, tag, confidence)
    join products on products.id = product where tag <> all (products.tags)
    on conflict do nothing returning product, tag),
  more as (select product, array_agg(tag order by tag) as new from added group by product)
  update products set tags = tags || array(select tag from unnest(new) as tag where tag <> all (tags))
  from more where products.id = product
  returning products.id::text, new as added`;

async function suggestions(products) {
  const items = products.map(({ id, title, text, tags }) => ({ id, title: title ?? '', text: text ?? '', tags }));
  const recommender = await Recommender.open(await train(graphFromItems(items)));
  const found = [];
  for await (const { object, suggestions: best } of recommender.suggestAll({ limit: 10 })) {
    for (const { tag, confidence = 0 } of best)
      if (confidence >= MIN_CONFIDENCE) found.push({ object, tag, confidence });
  }
  recommender.close();
  return found;
}

/** Runs the job; what it added, or undefined where another run is under way. */
export async function run(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows: locked } = await client.query('select pg_try_advisory_lock($1) as free', [LOCK]);
    if (!locked[0].free) return undefined;
    await client.query(CREATE);
    const { rows: products } = await client.query(READ);
    const found = await suggestions(products);
    const column = (name) => found.map((one) => one[name]);
    await client.query('begin');
    const { rows } = await client.query(WRITE, [column('object'), column('tag'), column('confidence')]);
    await client.query('commit');
    return rows;
  } finally {
    await client.end(); // gives back the lock, and rolls back what was not committed
  }
}
