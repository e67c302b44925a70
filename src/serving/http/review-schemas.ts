// The shapes of what is answered about reviews: lists, counts, what came of decisions, and the queue.

import { Confidence, named, Review, shownInLists, the } from './schemas.ts';
import { Type } from './typebox.ts';

export const ReviewList = named(
  'ReviewList',
  Type.Object({ reviews: Type.Array(the(Review)), next: Type.Optional(Type.String()) }),
);

export const ReviewCounts = named(
  'ReviewCounts',
  Type.Object({ accepted: Type.Integer(), rejected: Type.Integer(), unsure: Type.Integer() }),
);

export const CuratorList = named(
  'CuratorList',
  Type.Object({
    curators: Type.Array(
      Type.Object({
        curator: Type.String({ description: 'Empty: all who gave no name.' }),
        numReviews: Type.Integer(),
      }),
    ),
  }),
);

export const DecidedList = named(
  'DecidedList',
  Type.Object({
    results: Type.Array(
      Type.Object({
        review: the(Review),
        isNew: Type.Boolean({ description: 'False: someone was first, and the review is theirs.' }),
      }),
    ),
  }),
);

export const Queue = named(
  'Queue',
  Type.Object({
    suggestions: Type.Array(
      Type.Object({
        object: Type.String(),
        title: Type.String(),
        tag: Type.String(),
        score: Type.Number(),
        confidence: Confidence,
        ...shownInLists,
      }),
    ),
    next: Type.Optional(Type.String()),
    isComplete: Type.Boolean({ description: 'Whether all objects have been looked at.' }),
    numOpen: Type.Integer({ description: 'Open suggestions that the filters let through; at most five of an object.' }),
    numLikely: Type.Optional(
      Type.Integer({ description: 'How many of them have a confidence of 0.5 or more, of models that know.' }),
    ),
  }),
);

export const NAMED_OF_REVIEWS = [ReviewList, ReviewCounts, CuratorList, DecidedList, Queue];
