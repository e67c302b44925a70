// Deno serves POST requests with the tags that fit. See README.md for the permissions it needs.

import process from 'node:process';
import { loadModel, Recommender } from 'tagloom';

const recommender = await Recommender.open(await loadModel(Deno.args[0] ?? 'shop.tagloom'), { threads: 1 });

async function suggest(request) {
  if (request.method !== 'POST') return Response.json({ error: 'Use POST.' }, { status: 405 });
  try {
    const { title = '', text = '', tags = [] } = await request.json();
    const facts = { title: String(title), text: String(text), tags: [tags].flat().map(String) };
    return Response.json({ suggestions: await recommender.suggestFor(facts, { limit: 5 }) });
  } catch (error) {
    return Response.json({ error: error.message }, { status: 400 });
  }
}

Deno.serve(
  {
    port: Number(process.env.PORT ?? 3000),
    hostname: '127.0.0.1',
    onListen: ({ port }) => process.stdout.write(`http://127.0.0.1:${port}\n`),
  },
  suggest,
);
