// POST /v1/suggest: tags for an object the model never saw, from what is written about it and what else is known of it.

import { setImmediate } from 'node:timers/promises';
import { userCountsOf } from '../../models/fitted.ts';
import type { NamedFacts, Suggestion } from '../recommend/recommender.ts';
import { needs } from './access.ts';
import { type Api, type ApiContext, problemsOfWrites, rounded } from './api.ts';
import type { LoadedModel } from './loaded-model.ts';
import type { Metrics } from './metrics.ts';
import { UnseenBody } from './request-schemas.ts';
import { type TextSuggestion, the, UnseenSuggestions } from './schemas.ts';
import { choiceOf, inShort, line, refuseUnsure } from './suggestions.ts';
import type { Static } from './typebox.ts';

const BREATH = 8; // explanations between two looks at what else there is to do
const NUM_WORDS = 20; // of an explanation
const SUMMARY = 'Tags for an object the model never saw, from its title, text, tags, users and content or some of them';

/** Two paths to one answer: clients made before /v1/suggest use the second. */
const PATHS = [
  { path: '/v1/suggest', operationId: 'suggestToText' },
  { path: '/v1/suggestions', operationId: 'suggestUnseen', deprecated: true },
] as const;

export function addSuggestUnseen(app: Api, { models, metrics }: ApiContext): void {
  for (const { path, ...named } of PATHS) {
    app.post(
      path,
      {
        config: needs('read'),
        schema: {
          ...named,
          summary: SUMMARY,
          tags: ['suggestions'],
          body: UnseenBody,
          response: { 200: the(UnseenSuggestions), ...problemsOfWrites() },
        },
      },
      ({ body }) => models.use((loaded) => answer(loaded, metrics, body)),
    );
  }
}

async function answer(
  loaded: LoadedModel,
  metrics: Metrics,
  asked: Static<typeof UnseenBody>,
): Promise<Static<typeof UnseenSuggestions>> {
  const { graph } = loaded.model;
  const { tags = [], users = [], title, text, features, limit, explain } = asked;
  refuseUnsure(loaded, asked.minConfidence);
  const facts = { tags, users, title, text, features };
  const { rules } = loaded.curation.vocabulary;
  const found = await loaded.recommender.suggestFor(facts, { ...choiceOf(asked), limit, rules });
  metrics.suggestions.inc(found.length);
  return {
    suggestions: explain ? await explained(loaded, facts, found) : found.map(line),
    unknownTags: tags.filter((name) => (rules ?? graph.tags).idOf(name) < 0),
    // a model that does not hold its users knows none of them
    ...((graph.interact.size > 0 || userCountsOf(loaded.model)) && {
      unknownUsers: users.filter((name) => graph.users.idOf(name) < 0),
    }),
    unknownColumns: unknownColumns(loaded, text),
  };
}

/** With what adds most to each score, the words that count, and where they stand. */
async function explained(loaded: LoadedModel, facts: NamedFacts, found: readonly Suggestion[]) {
  const lines: Static<typeof TextSuggestion>[] = [];
  const explainTag = await loaded.recommender.explainer(facts, {
    maxPaths: 0,
    rules: loaded.curation.vocabulary.rules,
  });
  for (const [i, one] of found.entries()) {
    if (i % BREATH === 0) await setImmediate();
    const why = explainTag(one.tag);
    lines.push({
      ...line(one),
      explanation: inShort(why),
      ...(why.parts && { words: why.parts.words.slice(0, NUM_WORDS).map(withRounded) }),
      ...(why.marks && { marks: why.marks.map(withRounded) }),
    });
  }
  return lines;
}

function withRounded<Part extends { readonly amount: number }>(part: Part): Part {
  return { ...part, amount: rounded(part.amount) };
}

/** A model without columns reads what is written as part of the title. */
function unknownColumns({ model }: LoadedModel, text: NamedFacts['text']): string[] {
  const known = model.graph.texts.map(({ name }) => name);
  if (typeof text !== 'object' || known.length === 0) return [];
  return Object.keys(text).filter((name) => !known.includes(name));
}
