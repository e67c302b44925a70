// The shapes of answers, each written once: answers are written by them, and the OpenAPI document and the types of handlers
// and clients come from them. What is asked is in request-schemas.ts, the lists of reviews are in review-schemas.ts.

import { type Static, type TSchema, Type } from './typebox.ts';

/** A shape with a name of its own in the document. */
export type Named<Schema extends TSchema> = Schema & { readonly $id: string };

export function named<Schema extends TSchema>($id: string, schema: Schema): Named<Schema> {
  return Object.assign(schema, { $id });
}

/** Refers to a named shape instead of repeating it. */
export function the<Schema extends TSchema>({ $id }: Named<Schema>) {
  return Type.Unsafe<Static<Schema>>({ $ref: `${$id}#` });
}

/** One of a few words. */
export function wordOf<const Words extends readonly string[]>(
  words: Words,
  options: { readonly default?: Words[number]; readonly description?: string } = {},
) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: words, ...options });
}

export const VERDICTS = ['accept', 'reject'] as const;
export const DECISIONS = [...VERDICTS, 'unsure'] as const;
export const Confidence = Type.Optional(Type.Number({ description: 'How likely it is right, of models that know.' }));

const OF_USERS = 'Absent where the data has no users.';
const Address = Type.String({ description: 'As the data has it: not checked.' });

/** What there is to see of an object beside its title. */
const shownFields = (length: string) => ({
  texts: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: `What is written about it, by column${length}.` }),
  ),
  link: Type.Optional(Address),
  image: Type.Optional(Address),
});
export const shownInLists = shownFields('; cut after 200 characters, with “…” at the end');

// what every part of the API may answer

export const Review = named(
  'Review',
  Type.Object({
    id: Type.String(),
    object: Type.String(),
    tag: Type.String(),
    decision: wordOf(DECISIONS),
    curator: Type.String({ description: 'Empty where nobody said.' }),
    note: Type.String({ description: 'What the curator wrote about it; may be empty.' }),
    decidedAt: Type.String({ format: 'date-time' }),
  }),
);

export const Problem = named(
  'Problem',
  Type.Object(
    {
      type: Type.String(),
      title: Type.String(),
      status: Type.Integer(),
      detail: Type.String(),
      cure: Type.String({ description: 'One sentence: what to change.' }),
      review: Type.Optional(the(Review)),
      changes: Type.Optional(
        Type.Array(Type.Object({ id: Type.String(), summary: Type.String(), curator: Type.String() }), {
          description: 'Changes of the vocabulary that stand in the way.',
        }),
      ),
      decisions: Type.Optional(
        Type.Array(
          Type.Object({ object: Type.String(), tag: Type.String(), decision: Type.String(), curator: Type.String() }),
          { description: 'Decisions that stand in the way.' },
        ),
      ),
    },
    { description: 'RFC 9457, with a cure.' },
  ),
);

// models

const Settings = Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]));

export const ModelFacts = named(
  'Model',
  Type.Object({
    name: Type.String(),
    version: Type.String({ description: 'Of tagloom.' }),
    settings: Settings,
    metrics: Type.Record(Type.String(), Type.Number()),
    fingerprint: Type.String({ description: 'Two models share it only if they are the same.' }),
    numObjects: Type.Integer(),
    numTags: Type.Integer(),
    numUsers: Type.Optional(Type.Integer({ description: OF_USERS })),
    numTagged: Type.Integer(),
    numInteractions: Type.Optional(Type.Integer({ description: OF_USERS })),
    textColumns: Type.Array(Type.String(), { description: 'What is written about objects, beside their titles.' }),
    knowsConfidence: Type.Boolean(),
    foldsIn: Type.Boolean({ description: 'Whether POST /v1/suggest answers.' }),
    guarded: Type.Boolean({ description: 'Whether POST and DELETE need a token.' }),
    loadedAt: Type.String({ format: 'date-time' }),
  }),
);

export const Comparison = named('Comparison', Type.Object({ cells: Type.Array(Type.Any()) }));

// objects and tags

export const ObjectLine = named(
  'ObjectLine',
  Type.Object({ id: Type.String(), title: Type.String(), numTags: Type.Integer(), ...shownInLists }),
);

export const ObjectList = named(
  'ObjectList',
  Type.Object({ objects: Type.Array(the(ObjectLine)), next: Type.Optional(Type.String()) }),
);

export const ObjectFacts = named(
  'Object',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    ...shownFields(''),
    tags: Type.Array(
      Type.Object({
        tag: Type.String(),
        from: wordOf(['data', 'review', 'implied']),
        reviewId: Type.Optional(Type.String()),
        impliedBy: Type.Optional(
          Type.Array(Type.String(), { description: 'Of an implied tag: the tags of the object that imply it.' }),
        ),
        isUnknown: Type.Optional(
          Type.Boolean({ description: 'True: added by hand, and unknown to the model until it is trained again.' }),
        ),
      }),
    ),
    numUsers: Type.Optional(Type.Integer({ description: OF_USERS })),
    rejected: Type.Array(
      Type.Object({
        tag: Type.String(),
        reviewId: Type.String(),
        isRemoved: Type.Optional(Type.Boolean({ description: 'True: a tag of the data, which the review removed.' })),
      }),
    ),
    unsure: Type.Array(Type.Object({ tag: Type.String(), reviewId: Type.String() }), {
      description: 'Put aside: neither a tag of the object nor suggested.',
    }),
  }),
);

export const SimilarObjects = named(
  'SimilarObjects',
  Type.Object({
    objects: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        similarity: Type.Number({ description: 'The mean of byUsers and byTags, or the one there is.' }),
        byUsers: Type.Optional(Type.Number({ description: OF_USERS })),
        byTags: Type.Number(),
        ...shownInLists,
      }),
    ),
  }),
);

export const TagLine = named('Tag', Type.Object({ tag: Type.String(), numObjects: Type.Integer() }));

export const TagList = named(
  'TagList',
  Type.Object({ tags: Type.Array(the(TagLine)), next: Type.Optional(Type.String()) }),
);

export const SimilarTags = named(
  'SimilarTags',
  Type.Object({ tags: Type.Array(Type.Object({ tag: Type.String(), similarity: Type.Number() })) }),
);

export const MissingObjects = named(
  'MissingObjects',
  Type.Object({
    objects: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        score: Type.Number(),
        confidence: Confidence,
        ...shownInLists,
      }),
    ),
    next: Type.Optional(Type.String()),
  }),
);

// suggestions

export const ExplanationLine = named('ExplanationLine', Type.Object({ text: Type.String(), amount: Type.Number() }));

export const SuggestionLine = named(
  'Suggestion',
  Type.Object({
    tag: Type.String(),
    score: Type.Number(),
    confidence: Confidence,
    explanation: Type.Optional(
      Type.Array(the(ExplanationLine), {
        description: 'With explain=true: what adds most to the score, in a few words.',
      }),
    ),
  }),
);

const Words = Type.Array(
  Type.Object({
    word: Type.String({ description: 'Without case and accents.' }),
    column: Type.Optional(Type.String({ description: 'The column of text it stands in; absent: the title.' })),
    amount: Type.Number(),
  }),
);

const Marks = Type.Array(
  Type.Object({
    column: Type.Optional(Type.String({ description: 'The column of text it stands in; absent: the title.' })),
    start: Type.Integer({ description: 'In UTF-16 units, as JavaScript counts.' }),
    end: Type.Integer(),
    amount: Type.Number({ description: 'What the word adds to the score, however often it stands there.' }),
  }),
  { description: 'Where the words that count for the tag stand, in order; none overlap.' },
);

export const TextSuggestion = named(
  'TextSuggestion',
  Type.Object({
    ...SuggestionLine.properties,
    words: Type.Optional(Words),
    marks: Type.Optional(Marks),
  }),
);

export const ObjectSuggestions = named(
  'ObjectSuggestions',
  Type.Object({ object: Type.String(), suggestions: Type.Array(the(SuggestionLine)) }),
);

export const UnseenSuggestions = named(
  'UnseenSuggestions',
  Type.Object({
    suggestions: Type.Array(the(TextSuggestion)),
    unknownTags: Type.Array(Type.String(), { description: 'Counted for nothing.' }),
    unknownUsers: Type.Optional(Type.Array(Type.String(), { description: `Counted for nothing. ${OF_USERS}` })),
    unknownColumns: Type.Array(Type.String(), { description: 'Columns of text. Counted for nothing.' }),
  }),
);

export const BatchSuggestions = named(
  'BatchSuggestions',
  Type.Object({
    results: Type.Array(
      Type.Object({
        object: Type.String(),
        suggestions: Type.Optional(Type.Array(the(SuggestionLine))),
        problem: Type.Optional(the(Problem)),
      }),
    ),
  }),
);

const TagAmounts = Type.Array(Type.Object({ tag: Type.String(), amount: Type.Number() }));

export const Explanation = named(
  'Explanation',
  Type.Object({
    tag: Type.String(),
    score: Type.Number(),
    parts: Type.Optional(
      Type.Object(
        {
          base: Type.Number({ description: 'How common the tag is.' }),
          ownTags: TagAmounts,
          neighbours: Type.Array(
            Type.Object({
              object: Type.String(),
              title: Type.String(),
              cosine: Type.Number(),
              numSharedUsers: Type.Optional(Type.Integer({ description: OF_USERS })),
              amount: Type.Number(),
              tags: TagAmounts,
            }),
          ),
          words: Words,
          mention: Type.Optional(Type.Number({ description: 'That words of the tag stand in its title or text.' })),
          profile: Type.Optional(Type.Number({ description: `What its users as a whole add. ${OF_USERS}` })),
          content: Type.Optional(Type.Number({ description: 'What its content features say.' })),
          again: Type.Optional(
            Type.Array(the(ExplanationLine), { description: 'What ranking its best tags again changed, and why.' }),
          ),
        },
        { description: 'Of loom: they add up to the score.' },
      ),
    ),
    marks: Type.Optional(Marks),
    throughUsers: Type.Optional(
      Type.Array(
        Type.Object({
          object: Type.String(),
          title: Type.String(),
          weight: Type.Number(),
          numSharedUsers: Type.Integer(),
        }),
        { description: OF_USERS },
      ),
    ),
    throughTags: Type.Array(Type.Object({ tag: Type.String(), weight: Type.Number(), numObjects: Type.Integer() })),
  }),
);

// maps

export const MapFacts = named(
  'Map',
  Type.Object({
    points: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.Optional(Type.String()),
        x: Type.Number(),
        y: Type.Number(),
        cluster: Type.Integer(),
      }),
    ),
    clusters: Type.Array(Type.Object({ name: Type.String() })),
  }),
);

export const MapComputing = named(
  'MapComputing',
  Type.Object({ state: wordOf(['computing']), done: Type.Number({ minimum: 0, maximum: 1 }) }),
);

/** All but those of reviews (review-schemas.ts). */
export const NAMED = [
  ...[Review, Problem, ModelFacts, Comparison, ObjectLine, ObjectList, ObjectFacts, SimilarObjects, TagLine, TagList],
  ...[
    SimilarTags,
    MissingObjects,
    ExplanationLine,
    SuggestionLine,
    TextSuggestion,
    ObjectSuggestions,
    UnseenSuggestions,
    BatchSuggestions,
  ],
  ...[Explanation, MapFacts, MapComputing],
];
