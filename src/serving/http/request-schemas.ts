// The shapes of what is asked, each written once: requests are checked against them (validation.ts), and the OpenAPI document
// and the types of handlers and clients come from them. A field with a default may be left out.

import { MAX_NOTE } from '../reviews/clean-review.ts';
import { DECISIONS, VERDICTS, wordOf } from './schemas.ts';
import { Type } from './typebox.ts';

/** Names in one request, at most. */
const MAX_NAMES = 1000;
const MAX_NAME = 10_000; // characters
const MAX_TEXT = 100_000; // characters
const MAX_COLUMNS = 100; // of text
const share = { minimum: 0, maximum: 1 };
const NameText = Type.String({ minLength: 1, maxLength: MAX_NAME });
const strict = { additionalProperties: false };
const limit = (most: number, usual: number) => Type.Integer({ minimum: 1, maximum: most, default: usual });
const cursor = Type.Optional(
  Type.String({ maxLength: 100_000, description: 'The `next` of the page before; absent for the first page.' }),
);
const minConfidence = Type.Optional(Type.Number({ ...share, description: 'Leaves out what is less likely.' }));
const novelty = Type.Optional(Type.Number({ minimum: 0, description: 'Ranks rare tags higher. 0: off, 1: strongly.' }));
const Names = Type.Optional(Type.Array(NameText, { maxItems: MAX_NAMES }));

export const ObjectPath = Type.Object({ id: NameText });
export const TagPath = Type.Object({ tag: NameText });
export const ReviewPath = Type.Object({ id: NameText });
export const UndoQuery = Type.Object(
  { curator: Type.Optional(Type.String({ maxLength: 200, description: 'Who undoes it, where no token says it.' })) },
  strict,
);
export const SearchQuery = Type.Object(
  { query: Type.Optional(Type.String({ maxLength: MAX_NAME })), limit: limit(100, 20), cursor },
  strict,
);
export const SimilarQuery = Type.Object({ limit: limit(100, 10) }, strict);
export const PageQuery = Type.Object({ limit: limit(100, 20), cursor }, strict);
export const MissingQuery = Type.Object({ limit: limit(500, 20), cursor, minConfidence }, strict);
export const ExplanationQuery = Type.Object({ tag: NameText }, strict);
export const SuggestionsQuery = Type.Object(
  { limit: limit(100, 10), minConfidence, novelty, explain: Type.Boolean({ default: false }) },
  strict,
);
export const UnseenBody = Type.Object(
  {
    tags: Names,
    users: Names,
    title: Type.Optional(Type.String({ maxLength: MAX_NAME })),
    text: Type.Optional(
      Type.Union(
        [
          Type.String({ maxLength: MAX_TEXT }),
          Type.Record(Type.String(), Type.String({ maxLength: MAX_TEXT }), { maxProperties: MAX_COLUMNS }),
        ],
        { description: 'What is written about it: one text, which goes to the first column, or texts by column.' },
      ),
    ),
    features: Type.Optional(
      Type.Record(Type.String(), Type.Number(), {
        description: 'Content features by name; unknown ones count for nothing.',
      }),
    ),
    limit: limit(100, 10),
    minConfidence,
    novelty,
    allow: Names,
    deny: Names,
    explain: Type.Boolean({
      default: false,
      description: 'Also answers what adds most to each score, the words that count and where they stand.',
    }),
  },
  strict,
);
export const BatchBody = Type.Object(
  {
    objects: Type.Array(NameText, { maxItems: MAX_NAMES }),
    limit: limit(100, 10),
    minConfidence,
    novelty,
    allow: Names,
    deny: Names,
  },
  strict,
);
export const QueueQuery = Type.Object(
  {
    limit: limit(500, 50),
    cursor,
    minConfidence,
    tag: Type.Optional(NameText),
    group: Type.Optional(
      wordOf(['object', 'tag'], {
        description: 'Keeps the suggestions of an object, or of a tag, together; the group with the best one first.',
      }),
    ),
    order: Type.Optional(
      wordOf(['confident', 'useful', 'covered'], {
        description:
          'What comes first: the most confident suggestions (the default), those whose answers teach most, or those of the objects with the fewest tags.',
      }),
    ),
  },
  strict,
);
const whoAndWhen = {
  curator: Type.Optional(
    Type.String({ maxLength: 200, description: 'Who decided; an empty text finds those who gave no name.' }),
  ),
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only what was decided from then on (2026-03-04T00:00:00Z).' }),
  ),
};
export const ReviewsQuery = Type.Object(
  {
    object: Type.Optional(NameText),
    tag: Type.Optional(NameText),
    decision: Type.Optional(wordOf(DECISIONS)),
    ...whoAndWhen,
    limit: limit(100, 50),
    cursor,
  },
  strict,
);
export const CountsQuery = Type.Object(whoAndWhen, strict);
export const CuratorsQuery = Type.Object({ limit: limit(1000, 100) }, strict);
const reviewFields = {
  object: NameText,
  tag: NameText,
  decision: wordOf(DECISIONS, { description: 'unsure puts a suggestion aside; a later verdict takes its place.' }),
  curator: Type.Optional(Type.String({ maxLength: 200, description: 'Who decides. Default: empty.' })),
  note: Type.Optional(Type.String({ maxLength: MAX_NOTE, description: 'Kept with the decision. Default: empty.' })),
};
export const ReviewBody = Type.Object(reviewFields, strict);
export const ReviewsBody = Type.Object(
  { reviews: Type.Array(Type.Object(reviewFields, strict), { maxItems: MAX_NAMES }) },
  strict,
);
export const ExportQuery = Type.Object({ decision: wordOf(VERDICTS, { default: 'accept' }) }, strict);
