// The route handler POST /api/suggest of a Next.js app (App Router). The model is opened once for each server process.

import { InputError, loadModel, Recommender } from 'tagloom';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

let opened;

async function recommender() {
  opened ??= loadModel(process.env.TAGLOOM_MODEL ?? 'shop.tagloom').then((model) =>
    Recommender.open(model, { threads: 1 }),
  );
  return opened;
}

export async function POST(request) {
  const facts = await request.json().catch(() => undefined);
  if (typeof facts !== 'object' || facts === null) {
    return Response.json({ error: 'Send JSON with title, text and tags.' }, { status: 400 });
  }
  const { title = '', text = '', tags = [] } = facts;
  try {
    const known = { title: String(title), text: String(text), tags: [tags].flat().map(String) };
    return Response.json({ suggestions: await (await recommender()).suggestFor(known, { limit: 5 }) });
  } catch (error) {
    if (error instanceof InputError) return Response.json({ error: error.message }, { status: 400 });
    throw error;
  }
}
