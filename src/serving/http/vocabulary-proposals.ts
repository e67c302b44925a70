// GET /v1/vocabulary/proposals: tags that may mean the same.

import { type Api, type ApiContext, problems } from './api.ts';
import { the } from './schemas.ts';
import { Proposals, ProposalsQuery } from './vocabulary-schemas.ts';

export function addProposals(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/vocabulary/proposals',
    {
      schema: {
        operationId: 'listProposals',
        summary: 'Pairs of tags that may mean the same, the likeliest first, without those that somebody rejected',
        tags: ['vocabulary'],
        querystring: ProposalsQuery,
        response: { 200: the(Proposals), ...problems() },
      },
    },
    () => models.use(() => ({ proposals: [] })),
  );
}
