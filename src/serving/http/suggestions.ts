// Suggestions: of an object and of many at once, and why. Those of an object the model never saw are in suggest-unseen.ts.

import { setImmediate } from 'node:timers/promises';
import { InputError } from '../../errors.ts';
import { type Explanation as FullExplanation, shortExplanation } from '../recommend/explanation.ts';
import type { Suggestion, SuggestOptions } from '../recommend/recommender.ts';
import { needs } from './access.ts';
import { type Api, type ApiContext, isAnswered, problems, problemsOfWrites, rounded, sendJson } from './api.ts';
import type { LoadedModel } from './loaded-model.ts';
import { describeError } from './problem.ts';
import { BatchBody, ExplanationQuery, ObjectPath, SuggestionsQuery } from './request-schemas.ts';
import { BatchSuggestions, Explanation, ObjectSuggestions, type SuggestionLine, the } from './schemas.ts';
import type { Static } from './typebox.ts';

const tags = ['suggestions'];
const BREATH = 8; // objects of a batch, or explanations, between two looks at what else there is to do

export function addSuggestions(app: Api, context: ApiContext): void {
  for (const add of [addSuggest, addExplain, addSuggestBatch]) add(app, context);
}

function addSuggest(app: Api, { models, metrics }: ApiContext): void {
  app.get(
    '/v1/objects/:id/suggestions',
    {
      config: needs('read'),
      schema: {
        operationId: 'suggest',
        summary: 'The tags an object lacks, the likeliest first',
        tags,
        params: ObjectPath,
        querystring: SuggestionsQuery,
        response: { 200: the(ObjectSuggestions), ...problems(404) },
      },
    },
    (request, reply) =>
      models.use(async (loaded) => {
        const object = loaded.findObject(request.params.id);
        refuseUnsure(loaded, request.query.minConfidence);
        const revision = String(loaded.curation.revisionOfSuggestions(object));
        if (isAnswered(request, reply, loaded.etag(revision))) return;
        const key = keyOf(object, request.query);
        let answer = loaded.answers.get(key, revision);
        if (answer === undefined) {
          const suggestions = await suggestTo(loaded, object, request.query);
          const body = reply.serialize({ object: request.params.id, suggestions }) as string;
          answer = { revision, body, count: suggestions.length };
          // what was decided meanwhile is in the answer, but not in its revision
          if (revision === String(loaded.curation.revisionOfSuggestions(object))) loaded.answers.set(key, answer);
        }
        metrics.suggestions.inc(answer.count);
        sendJson(reply, answer.body);
      }),
  );
}

function addExplain(app: Api, { models }: ApiContext): void {
  app.get(
    '/v1/objects/:id/explanation',
    {
      config: needs('read'),
      schema: {
        operationId: 'explain',
        summary: 'Why a tag is suggested to an object: of loom the parts of the score, and paths of the data',
        tags,
        params: ObjectPath,
        querystring: ExplanationQuery,
        response: { 200: the(Explanation), ...problems(404) },
      },
    },
    (request, reply) =>
      models.use(async (loaded) => {
        const object = loaded.findObject(request.params.id);
        const tag = loaded.findTag(request.query.tag);
        if (isAnswered(request, reply, loaded.etag(loaded.curation.revisionOfSuggestions(object)))) return;
        return (await loaded.curation.explain(object, tag)) as Static<typeof Explanation>;
      }),
  );
}

function addSuggestBatch(app: Api, { models, metrics }: ApiContext): void {
  app.post(
    '/v1/suggestions/batch',
    {
      config: needs('read'),
      schema: {
        operationId: 'suggestBatch',
        summary: 'The tags that many objects lack; what goes wrong with one is said beside it',
        tags,
        body: BatchBody,
        response: { 200: the(BatchSuggestions), ...problemsOfWrites() },
      },
    },
    ({ body }) =>
      models.use(async (loaded) => {
        refuseUnsure(loaded, body.minConfidence);
        const choice = choiceOf(body);
        const results: Static<typeof BatchSuggestions>['results'] = [];
        for (const [i, name] of body.objects.entries()) {
          if (i % BREATH === BREATH - 1) await setImmediate();
          try {
            const found = await loaded.curation.suggest(loaded.findObject(name), { ...choice, limit: body.limit });
            metrics.suggestions.inc(found.length);
            results.push({ object: name, suggestions: found.map(line) });
          } catch (error) {
            const { problem } = describeError(error);
            if (problem.status >= 500) throw error;
            results.push({ object: name, problem });
          }
        }
        return { results };
      }),
  );
}

/** Only some models know how sure they are. */
export function refuseUnsure({ model }: LoadedModel, minConfidence: number | undefined): void {
  if (minConfidence === undefined || model.confidence !== undefined) return;
  const cure = 'Leave out minConfidence, or serve loom.';
  throw new InputError({ got: `a ${model.name} model`, expected: 'one that knows how sure it is', cure });
}

type Asked = Static<typeof SuggestionsQuery>;
type Line = Static<typeof SuggestionLine>;

function keyOf(object: number, { limit, minConfidence, novelty, explain }: Asked): string {
  return `${object}/${limit}/${minConfidence}/${novelty}/${explain}`;
}

async function suggestTo(loaded: LoadedModel, object: number, asked: Asked): Promise<Line[]> {
  const { limit, minConfidence, novelty, explain } = asked;
  const found = await loaded.curation.suggest(object, { limit, minConfidence, novelty });
  const lines = found.map(line);
  if (!explain) return lines;
  const explained: Line[] = [];
  const explainTag = await loaded.curation.explainer(object);
  for (const [i, one] of lines.entries()) {
    if (i % BREATH === 0) await setImmediate();
    explained.push({ ...one, explanation: inShort(explainTag(loaded.findTag(one.tag))) });
  }
  return explained;
}

/** What adds most to a score. */
export function inShort(why: FullExplanation): NonNullable<Line['explanation']> {
  return shortExplanation(why).map(({ text, amount }) => ({ text, amount: rounded(amount) }));
}

export function line({ tag, score, confidence }: Suggestion): Line {
  return { tag, score: rounded(score), ...(confidence !== undefined && { confidence: rounded(confidence) }) };
}

export function choiceOf({ allow, deny, minConfidence, novelty }: Partial<Static<typeof BatchBody>>): SuggestOptions {
  return { allow: allow && new Set(allow), deny: deny && new Set(deny), minConfidence, novelty };
}
