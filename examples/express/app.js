// POST /suggest {"title": …, "text": …, "tags": […]} answers with the tags that fit, as a part of an Express app.

import express from 'express';
import { InputError, loadModel, Recommender } from 'tagloom';

export async function createApp(modelFile) {
  const recommender = await Recommender.open(await loadModel(modelFile), { threads: 1 });
  const app = express();
  app.use(express.json({ limit: '100kb' }));

  app.post('/suggest', async (request, response) => {
    const { title = '', text = '', tags = [] } = request.body ?? {};
    if (typeof title !== 'string' || typeof text !== 'string' || !Array.isArray(tags)) {
      response.status(400).json({ error: 'Send JSON with title and text as strings and tags as a list.' });
      return;
    }
    const suggestions = await recommender.suggestFor({ title, text, tags: tags.map(String) }, { limit: 5 });
    response.json({ suggestions });
  });

  app.use((error, _request, response, next) => {
    const status = error instanceof InputError ? 400 : error.expose ? error.status : 500; // no JSON, too long
    if (status < 500) response.status(status).json({ error: error.message });
    else next(error);
  });
  return { app, close: () => recommender.close() };
}
