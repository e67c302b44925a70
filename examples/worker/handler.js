// A fetch handler over the bytes of a model, for Cloudflare Workers and whatever else has Request and Response. The backend
// "reference" computes in plain JavaScript: workers may not compile WebAssembly from bytes.

import { decodeModel, InputError, Recommender } from 'tagloom/browser';

export function suggestWith(bytes) {
  let opened; // with the first request: a worker has no time to compute before
  const open = async () => Recommender.open(await decodeModel(new Uint8Array(bytes)), { backend: 'reference' });

  return {
    async fetch(request) {
      if (request.method !== 'POST') return Response.json({ error: 'Use POST.' }, { status: 405 });
      const facts = await request.json().catch(() => undefined);
      if (typeof facts !== 'object' || facts === null) {
        return Response.json({ error: 'Send JSON with title, text and tags.' }, { status: 400 });
      }
      const { title = '', text = '', tags = [] } = facts;
      opened ??= open();
      try {
        const known = { title: String(title), text: String(text), tags: [tags].flat().map(String) };
        return Response.json({ suggestions: await (await opened).suggestFor(known, { limit: 5 }) });
      } catch (error) {
        if (error instanceof InputError) return Response.json({ error: error.message }, { status: 400 });
        throw error;
      }
    },
  };
}
