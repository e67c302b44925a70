// Training again in the background: start, follow, stop, use what came of it, and take that back.

import { InputError } from '../../errors.ts';
import { TrainingConflict } from '../training/training-conflict.ts';
import type { TrainingFacts } from '../training/training-facts.ts';
import type { TrainingProgress } from '../training/training-messages.ts';
import { needs } from './access.ts';
import { type Api, type ApiContext, problems, problemsOfWrites } from './api.ts';
import { refuse } from './problem.ts';
import { the } from './schemas.ts';
import { Training, TrainingBody } from './training-schemas.ts';

const tags = ['model'];

export function addTraining(app: Api, context: ApiContext): void {
  for (const add of [addFacts, addStart, addStop, addUse, addRestore]) add(app, context);
}

function addFacts(app: Api, { training }: ApiContext): void {
  app.get(
    '/v1/model/training',
    {
      config: needs('read'),
      schema: {
        operationId: 'getTraining',
        summary: 'Whether training again is offered, how far a training is, and how the new model compares',
        tags,
        response: { 200: the(Training), ...problems() },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return shown(await training.facts());
    },
  );
}

function addStart(app: Api, { training }: ApiContext): void {
  app.post(
    '/v1/model/training',
    {
      config: needs('administrate'),
      // a body that is not sent asks for nothing special
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        operationId: 'startTraining',
        summary:
          'Train the model again with what was decided, in a process of its own; requests are answered meanwhile',
        tags,
        body: TrainingBody,
        response: { 202: the(Training), ...problemsOfWrites(409, 503) },
      },
    },
    async ({ body }, reply) => {
      await inTime(training.start(body));
      reply.code(202);
      return shown(await training.facts());
    },
  );
}

function addStop(app: Api, { training }: ApiContext): void {
  app.delete(
    '/v1/model/training',
    {
      config: needs('administrate'),
      schema: {
        operationId: 'stopTraining',
        summary: 'Stop the training; where none runs, forget its failure or the new model',
        tags,
        response: { 200: the(Training), ...problemsOfWrites(409) },
      },
    },
    async () => {
      await inTime(training.stopOrForget());
      return shown(await training.facts());
    },
  );
}

function addUse(app: Api, { training }: ApiContext): void {
  app.post(
    '/v1/model/training/use',
    {
      config: needs('administrate'),
      schema: {
        operationId: 'useTrainedModel',
        summary: 'Put the new model in use without dropping a request; the one before stays beside it',
        tags,
        response: { 200: the(Training), ...problemsOfWrites(409, 422, 503) },
      },
    },
    async () => {
      await inTime(training.use());
      return shown(await training.facts());
    },
  );
}

function addRestore(app: Api, { training }: ApiContext): void {
  app.post(
    '/v1/model/restore',
    {
      config: needs('administrate'),
      schema: {
        operationId: 'restoreModel',
        summary: 'Go back to the model before; the one taken out of use can be used again',
        tags,
        response: { 200: the(Training), ...problemsOfWrites(409, 422, 503) },
      },
    },
    async () => {
      await inTime(training.restore());
      return shown(await training.facts());
    },
  );
}

/** What cannot be done now is a conflict; a file that cannot be read or written is told as by a reload. */
async function inTime(work: Promise<void>): Promise<void> {
  await work.catch((error) => {
    if (error instanceof TrainingConflict) refuse(409, error.message, error.cure);
    if (!(error instanceof InputError)) throw error;
    const { got, expected, cure } = error.problem;
    refuse(422, `Got ${got}, expected ${expected}. The model before it goes on.`, cure);
  });
}

function shown({ retrained, progress, ...facts }: TrainingFacts) {
  return {
    ...facts,
    ...(progress && { progress: progressOf(progress) }),
    ...(retrained && {
      trained: {
        finishedAt: retrained.finishedAt,
        numLearnt: retrained.numLearnt,
        fingerprint: retrained.fingerprint,
        comparison: retrained.comparison,
      },
    }),
  };
}

function progressOf({ step, done, total, detail }: TrainingProgress) {
  return { stage: step, done, total, ...(detail !== undefined && { detail }) };
}
