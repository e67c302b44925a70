// A Fastify plugin: the app gets app.suggestTags(facts) and the route POST /suggest, and the model is closed with the app.

import fp from 'fastify-plugin';
import { InputError, loadModel, Recommender } from 'tagloom';

const text = { type: 'string', maxLength: 100_000 };
const body = {
  type: 'object',
  properties: { title: text, text, tags: { type: 'array', items: text, maxItems: 1000 } },
  additionalProperties: false,
};

export const suggestTags = fp(
  async (app, { model, limit = 5 }) => {
    const recommender = await Recommender.open(await loadModel(model), { threads: 1 });
    app.addHook('onClose', () => recommender.close());
    app.decorate('suggestTags', (facts) => recommender.suggestFor(facts, { limit }));

    app.post('/suggest', { schema: { body } }, async (request, reply) => {
      try {
        return { suggestions: await app.suggestTags(request.body) };
      } catch (error) {
        if (error instanceof InputError) return reply.code(400).send({ error: error.message });
        throw error;
      }
    });
  },
  { name: 'suggest-tags', fastify: '5.x' },
);
