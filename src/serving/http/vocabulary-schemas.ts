// The shapes of what is asked and answered about the vocabulary.

import { KINDS } from '../vocabulary/declaration.ts';
import { MIN_SCORE } from '../vocabulary/proposals.ts';
import { FORMATS } from '../vocabulary/skos-format.ts';
import { LEAST_SCORE } from '../vocabulary/synonym-proposals.ts';
import { named, the, wordOf } from './schemas.ts';
import { Type } from './typebox.ts';

const MAX_NAMES = 1000;
const MAX_NAME = 2000; // characters
const MAX_ASSIGNED = 10_000;
const strict = { additionalProperties: false };
const NameText = Type.String({ minLength: 1, maxLength: MAX_NAME });
const Names = Type.Array(NameText, { maxItems: MAX_NAMES });
const limit = (most: number, usual: number) => Type.Integer({ minimum: 1, maximum: most, default: usual });
const cursor = Type.Optional(
  Type.String({ maxLength: 100_000, description: 'The `next` of the page before; absent for the first page.' }),
);
const curator = Type.Optional(Type.String({ maxLength: 200, description: 'Who declares it. Default: empty.' }));
const note = Type.Optional(Type.String({ maxLength: 1000, description: 'Kept with the change. Default: empty.' }));

const declaration = {
  kind: wordOf(KINDS, {
    description:
      'merge, rename and synonym: `tags` are read as the one of `into`. retire: `tags` are not suggested any more. ' +
      'parent: `tags` imply `into`. exclude: no object carries two of `tags`. split: the tag gives way to the parts in ' +
      '`into`. notSynonym: `tags` and `into` are different, so nobody proposes a merge again.',
  }),
  tags: Names,
};
const more = {
  takeOff: Type.Optional(Type.Boolean({ description: 'Of retire: objects lose the tag as well.' })),
  assigned: Type.Optional(
    Type.Array(Type.Object({ object: NameText, tag: NameText }, strict), {
      maxItems: MAX_ASSIGNED,
      description: 'Of split: objects and the part each gets.',
    }),
  ),
};
const asked = {
  ...declaration,
  into: Type.Optional(Type.Array(NameText, { maxItems: MAX_NAMES, description: 'Default: none.' })),
  ...more,
};

export const PreviewBody = Type.Object(asked, strict);
export const ChangeBody = Type.Object({ ...asked, curator, note }, strict);
export const ChangePath = Type.Object({ id: NameText });
export const ChangesQuery = Type.Object({ limit: limit(100, 50), cursor }, strict);
export const UndoQuery = Type.Object({ curator: Type.Optional(Type.String({ maxLength: 200 })) }, strict);
export const DivideQuery = Type.Object({ limit: limit(100, 20), cursor }, strict);
export const ProposalsQuery = Type.Object(
  {
    limit: limit(100, 20),
    cursor,
    minScore: Type.Number({
      ...{ minimum: LEAST_SCORE, maximum: 1, default: MIN_SCORE },
      description: 'Leaves out what is less likely.',
    }),
  },
  strict,
);
export const VocabularyQuery = Type.Object(
  {
    query: Type.Optional(Type.String({ maxLength: MAX_NAME })),
    show: wordOf(['all', 'declared', 'retired'], {
      default: 'all',
      description: 'declared: only tags something is declared of; retired: only retired and split ones.',
    }),
    limit: limit(100, 50),
    cursor,
  },
  strict,
);
export const VocabularyExportQuery = Type.Object(
  {
    format: wordOf(FORMATS, { default: 'turtle' }),
    language: Type.Optional(Type.String({ maxLength: 35, description: 'Of the labels. Default: none is said.' })),
  },
  strict,
);
export const ImportBody = Type.Object(
  {
    document: Type.String({ maxLength: 1 << 25, description: 'SKOS, written as `format` says.' }),
    format: wordOf(FORMATS, { default: 'turtle' }),
    language: Type.Optional(
      Type.String({ maxLength: 35, description: 'Of the labels. Default: none, then en, then any.' }),
    ),
    dryRun: Type.Boolean({ default: false, description: 'Only says what would be.' }),
    curator,
    note,
  },
  strict,
);

const Declaration = Type.Object({ ...declaration, into: Names, ...more });

export const VocabularyChange = named(
  'VocabularyChange',
  Type.Object({
    id: Type.String(),
    kind: wordOf([...KINDS, 'import']),
    summary: Type.String({ description: 'What it does, in a few words.' }),
    declarations: Type.Array(Declaration, { description: 'One or, of an import, at most the first hundred.' }),
    numDeclarations: Type.Integer(),
    curator: Type.String({ description: 'Empty where nobody said.' }),
    note: Type.String(),
    at: Type.String({ format: 'date-time' }),
    undoneAt: Type.Optional(Type.String({ format: 'date-time' })),
    undoneBy: Type.Optional(Type.String()),
  }),
);

export const VocabularyChanges = named(
  'VocabularyChanges',
  Type.Object({ changes: Type.Array(the(VocabularyChange)), next: Type.Optional(Type.String()) }),
);

export const VocabularyTag = named(
  'VocabularyTag',
  Type.Object({
    tag: Type.String(),
    numObjects: Type.Integer({ description: 'That carry it, by implication as well.' }),
    state: wordOf(['used', 'retired', 'split']),
    labels: Type.Array(Type.String(), { description: 'Other names that are read as this tag.' }),
    implies: Type.Array(Type.String(), { description: 'By one step.' }),
    excludes: Type.Array(Type.String()),
    parts: Type.Optional(Type.Array(Type.String(), { description: 'Of a split tag.' })),
    isUnknown: Type.Optional(
      Type.Boolean({
        description: 'True: the model does not know it, so it is not suggested before the next training.',
      }),
    ),
  }),
);

export const VocabularyTags = named(
  'VocabularyTags',
  Type.Object({
    tags: Type.Array(the(VocabularyTag)),
    numTags: Type.Integer({ description: 'That the query lets through, on all pages.' }),
    next: Type.Optional(Type.String()),
  }),
);

const Example = Type.Object({
  object: Type.String(),
  title: Type.String(),
  gains: Type.Array(Type.String()),
  loses: Type.Array(Type.String()),
});
const Conflict = Type.Object({ object: Type.String(), title: Type.String(), tags: Type.Array(Type.String()) });

export const VocabularyPreview = named(
  'VocabularyPreview',
  Type.Object({
    summary: Type.String(),
    isNew: Type.Boolean({ description: 'False: it is declared already, and nothing would change.' }),
    numGain: Type.Integer({ description: 'Objects that would gain a tag.' }),
    numLose: Type.Integer({ description: 'Objects that would lose one; an object may do both.' }),
    numKeep: Type.Integer({ description: 'Objects with one of the tags whose tags would stay as they are.' }),
    numOpen: Type.Integer({ description: 'Open suggestions of tags that are concerned.' }),
    examples: Type.Array(Example, { description: 'A few objects that would change.' }),
    numConflicts: Type.Integer({ description: 'Objects that carry two tags which would exclude each other.' }),
    conflicts: Type.Array(Conflict, { description: 'A few of them.' }),
  }),
);

export const VocabularyImport = named(
  'VocabularyImport',
  Type.Object({
    change: Type.Optional(the(VocabularyChange)),
    numConcepts: Type.Integer(),
    numDeclarations: Type.Integer({ description: 'That are new.' }),
    numUnknown: Type.Integer({ description: 'Concepts of which neither the model nor the vocabulary has the tag.' }),
    warnings: Type.Array(Type.String(), { description: 'What was left out, and why.' }),
    preview: Type.Optional(the(VocabularyPreview)),
  }),
);

export const Proposals = named(
  'VocabularyProposals',
  Type.Object({
    proposals: Type.Array(
      Type.Object({
        from: Type.String({ description: 'The tag that should go: it is on fewer objects.' }),
        into: Type.String({ description: 'The one that should stay.' }),
        score: Type.Number({ minimum: 0, maximum: 1, description: 'How likely both mean the same.' }),
        evidence: Type.Array(
          Type.Object({ kind: Type.String(), text: Type.String(), amount: Type.Number({ minimum: 0, maximum: 1 }) }),
          { description: 'What speaks for it, in words, and then what speaks against it.' },
        ),
        numObjects: Type.Array(Type.Integer(), { minItems: 2, maxItems: 2, description: 'Of `from` and of `into`.' }),
      }),
    ),
    isComplete: Type.Boolean({ description: 'False while tags are compared: ask again in a second.' }),
    done: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'The share that is compared.' })),
    next: Type.Optional(Type.String()),
  }),
);

export const ToDivide = named(
  'ObjectsToDivide',
  Type.Object({
    parts: Type.Array(Type.String()),
    objects: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        suggestions: Type.Array(
          Type.Object({ tag: Type.String(), score: Type.Number(), confidence: Type.Optional(Type.Number()) }),
          { description: 'The parts, the likeliest first; one without evidence is left out.' },
        ),
      }),
    ),
    numObjects: Type.Integer(),
    next: Type.Optional(Type.String()),
  }),
);

export const NAMED_OF_VOCABULARY = [
  ...[VocabularyChange, VocabularyChanges, VocabularyTag, VocabularyTags, VocabularyPreview, VocabularyImport],
  ...[Proposals, ToDivide],
];
