// GET /v1/vocabulary/proposals: tags that probably mean the same.

import type { Declarations } from '../vocabulary/declarations.ts';
import type { Proposal } from '../vocabulary/proposals.ts';
import { LEAST_SCORE } from '../vocabulary/synonym-proposals.ts';
import { needs } from './access.ts';
import { type Api, type ApiContext, offsetCursor, pageOf, problems } from './api.ts';
import { the } from './schemas.ts';
import { Proposals, ProposalsQuery } from './vocabulary-schemas.ts';

const cursor = offsetCursor('proposals');

export function addProposals(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/vocabulary/proposals',
    {
      config: needs('read'),
      schema: {
        operationId: 'listProposals',
        summary:
          'Pairs of tags that probably mean the same, the likeliest first, without those somebody decided on; while tags are compared, how much is done',
        tags: ['vocabulary'],
        querystring: ProposalsQuery,
        response: { 200: the(Proposals), ...problems() },
      },
    },
    ({ query }, reply) =>
      models.use(({ proposals, curation }) => {
        const start = cursor.decode(query.cursor) ?? 0;
        const state = proposals.get();
        if (!('proposals' in state)) {
          reply.header('retry-after', '1').header('cache-control', 'no-store');
          return { proposals: [], isComplete: false, done: Math.round(state.done * 100) / 100 };
        }
        const minScore = Math.max(LEAST_SCORE, query.minScore);
        const { declarations } = curation.vocabulary;
        const found = state.proposals.filter((one) => one.score >= minScore && isOpen(one, declarations));
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

/** Neither is read as another tag by now, and nobody said that they are different ones. */
function isOpen({ from, into }: Proposal, declarations: Declarations): boolean {
  if (declarations.tagOf(from) !== from || declarations.tagOf(into) !== into) return false;
  return declarations.differenceOf(from, into) === undefined && declarations.differenceOf(into, from) === undefined;
}
