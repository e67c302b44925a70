// GET /v1/vocabulary/proposals: tags that probably mean the same.

import { LEAST_SCORE } from '../vocabulary/synonym-proposals.ts';
import { needs } from './access.ts';
import { type Api, type ApiContext, offsetCursor, pageOf, problems } from './api.ts';
import { ProposalsQuery } from './request-schemas.ts';
import { the, VocabularyProposals } from './schemas.ts';

const cursor = offsetCursor('proposals');

export function addVocabulary(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/vocabulary/proposals',
    {
      config: needs('read'),
      schema: {
        operationId: 'listProposals',
        summary:
          'Pairs of tags that probably mean the same, the likeliest first; while tags are compared, how much is done',
        tags: ['tags'],
        querystring: ProposalsQuery,
        response: { 200: the(VocabularyProposals), ...problems() },
      },
    },
    ({ query }, reply) =>
      models.use((loaded) => {
        const start = cursor.decode(query.cursor) ?? 0;
        const state = loaded.proposals.get();
        if (!('proposals' in state)) {
          reply.header('retry-after', '1').header('cache-control', 'no-store');
          return { proposals: [], isComplete: false, done: Math.round(state.done * 100) / 100 };
        }
        const minScore = Math.max(LEAST_SCORE, query.minScore);
        const found = state.proposals.filter(({ score }) => score >= minScore);
        const { page, ...next } = pageOf(found, { start, limit: query.limit }, cursor);
        return {
          proposals: page.map(({ evidence, numObjects: [from, into], ...proposal }) => ({
            ...proposal,
            evidence: [...evidence],
            numObjects: [from, into],
          })),
          isComplete: true,
          ...next,
        };
      }),
  );
}
