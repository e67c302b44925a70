// Bun serves POST requests with the tags that fit. bun server.js shop.tagloom

import { loadModel, Recommender } from 'tagloom';

const recommender = await Recommender.open(await loadModel(process.argv[2] ?? 'shop.tagloom'), { threads: 1 });

const server = Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  hostname: '127.0.0.1',
  async fetch(request) {
    if (request.method !== 'POST') return Response.json({ error: 'Use POST.' }, { status: 405 });
    const { title = '', text = '', tags = [] } = await request.json();
    const facts = { title: String(title), text: String(text), tags: [tags].flat().map(String) };
    return Response.json({ suggestions: await recommender.suggestFor(facts, { limit: 5 }) });
  },
  error: (error) => Response.json({ error: error.message }, { status: 400 }),
});
process.stdout.write(`http://127.0.0.1:${server.port}\n`);
