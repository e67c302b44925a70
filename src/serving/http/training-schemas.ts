// The shapes of what is answered, and asked, about training again.

import { named, wordOf } from './schemas.ts';
import { Type } from './typebox.ts';

const STATES = ['idle', 'training', 'comparing', 'ready', 'failed', 'stopped'] as const;
const VERDICTS = ['better', 'worse', 'mixed', 'noDifference', 'tooFew'] as const;

const oldAndNew = (description: string) => Type.Object({ old: Type.Number(), new: Type.Number() }, { description });

const TrainingProblem = Type.Object({
  detail: Type.String(),
  cure: Type.String({ description: 'One sentence: what to do.' }),
});

const Difference = Type.Object(
  { mean: Type.Number(), low: Type.Number(), high: Type.Number(), pValue: Type.Number() },
  {
    description:
      'New less old, object by object, with a 95 % bootstrap interval and the p-value of a sign-flip test. Absent where fewer than 20 pairs were held back.',
  },
);

const ModelComparison = Type.Object(
  {
    verdict: wordOf(VERDICTS, {
      description:
        'better, worse: more than chance explains. mixed: better in one way, worse in another. noDifference: none to be seen. tooFew: fewer than 20 accepted tags were held back.',
    }),
    statement: Type.String({ description: 'For people: a sentence or two, with the numbers.' }),
    accepted: Type.Object({
      numPairs: Type.Integer(),
      numObjects: Type.Integer(),
      numFound: oldAndNew('Pairs among the first 3 suggestions of their object.'),
      recallAt3: oldAndNew('The mean over objects.'),
      reciprocalRank: oldAndNew('The mean over pairs of 1 / rank.'),
      difference: Type.Optional(Difference),
    }),
    rejected: Type.Object({
      numPairs: Type.Integer(),
      numObjects: Type.Integer(),
      numSuggested: oldAndNew('Pairs among the first 5 suggestions of their object: fewer are better.'),
      difference: Type.Optional(Difference),
    }),
    separation: Type.Optional(
      Type.Object({
        share: oldAndNew(
          'Of all pairs of an accepted and a rejected tag: in how many it is surer of the accepted one.',
        ),
        difference: Type.Optional(Difference),
      }),
    ),
  },
  { description: 'Of the old and the new model, on decisions that were held back from the new one.' },
);

export const Training = named(
  'Training',
  Type.Object({
    state: wordOf(STATES),
    progress: Type.Optional(
      Type.Object(
        {
          stage: Type.String({ description: 'As the command line shows it.' }),
          done: Type.Number(),
          total: Type.Number(),
          detail: Type.Optional(Type.String()),
        },
        { description: 'While it trains or compares.' },
      ),
    ),
    problem: Type.Optional(Type.Object(TrainingProblem.properties, { description: 'Why it failed.' })),
    obstacle: Type.Optional(
      Type.Object(TrainingProblem.properties, {
        description: 'Why this model cannot be trained again here; `cure` has the command to run instead.',
      }),
    ),
    numDecisions: Type.Integer({ description: 'Decisions since the model was trained: those it has not learnt.' }),
    offeredFrom: Type.Integer({ description: 'From how many decisions on a training is offered.' }),
    isOffered: Type.Boolean(),
    trained: Type.Optional(
      Type.Object(
        {
          finishedAt: Type.String({ format: 'date-time' }),
          numLearnt: Type.Integer({ description: 'Decisions it learnt that the model before did not know.' }),
          fingerprint: Type.String(),
          comparison: ModelComparison,
        },
        { description: 'The new model that waits to be used.' },
      ),
    ),
    canRestore: Type.Boolean({ description: 'Whether there is a model before the one that serves.' }),
    fingerprint: Type.String({ description: 'Of the model that serves.' }),
  }),
);

export const TrainingBody = Type.Object(
  {
    useIfBetter: Type.Optional(
      Type.Boolean({ default: false, description: 'Put the new model in use at once where it is better for sure.' }),
    ),
  },
  { additionalProperties: false },
);

export const NAMED_OF_TRAINING = [Training];
