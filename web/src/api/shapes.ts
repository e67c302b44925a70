// What the API answers, as the page sees it: the shapes that the service writes its answers by, as types alone.

import type { Static } from 'typebox';
import type * as reviewSchemas from '../../../src/serving/http/review-schemas.ts';
import type * as schemas from '../../../src/serving/http/schemas.ts';
import type * as trainingSchemas from '../../../src/serving/http/training-schemas.ts';
import type * as vocabularySchemas from '../../../src/serving/http/vocabulary-schemas.ts';

export type Review = Static<typeof schemas.Review>;
export type Decision = Review['decision'];
export type ModelFacts = Static<typeof schemas.ModelFacts>;
export type ObjectLine = Static<typeof schemas.ObjectLine>;
export type ObjectList = Static<typeof schemas.ObjectList>;
export type ObjectFacts = Static<typeof schemas.ObjectFacts>;
export type SimilarObjects = Static<typeof schemas.SimilarObjects>;
export type TagLine = Static<typeof schemas.TagLine>;
export type TagList = Static<typeof schemas.TagList>;
export type SimilarTags = Static<typeof schemas.SimilarTags>;
export type MissingObjects = Static<typeof schemas.MissingObjects>;
export type MissingObject = MissingObjects['objects'][number];
export type ObjectSuggestions = Static<typeof schemas.ObjectSuggestions>;
export type Suggestion = Static<typeof schemas.SuggestionLine>;
export type TextSuggestion = Static<typeof schemas.TextSuggestion>;
export type UnseenSuggestions = Static<typeof schemas.UnseenSuggestions>;
export type Explanation = Static<typeof schemas.Explanation>;
export type QueuePage = Static<typeof reviewSchemas.Queue>;
export type OpenSuggestion = QueuePage['suggestions'][number];
export type ReviewList = Static<typeof reviewSchemas.ReviewList>;
export type ReviewCounts = Static<typeof reviewSchemas.ReviewCounts>;
export type CuratorList = Static<typeof reviewSchemas.CuratorList>;
export type DecidedList = Static<typeof reviewSchemas.DecidedList>;
export type MapFacts = Static<typeof schemas.MapFacts>;
export type MapPoint = MapFacts['points'][number];
export type MapProgress = Static<typeof schemas.MapComputing>;
export type Comparison = Static<typeof schemas.Comparison>;
export type Training = Static<typeof trainingSchemas.Training>;
export type TrainedModel = NonNullable<Training['trained']>;

export type VocabularyTag = Static<typeof vocabularySchemas.VocabularyTag>;
export type VocabularyTags = Static<typeof vocabularySchemas.VocabularyTags>;
export type VocabularyChange = Static<typeof vocabularySchemas.VocabularyChange>;
export type VocabularyChanges = Static<typeof vocabularySchemas.VocabularyChanges>;
export type VocabularyPreview = Static<typeof vocabularySchemas.VocabularyPreview>;
export type Declaration = Static<typeof vocabularySchemas.PreviewBody>;
export type Proposals = Static<typeof vocabularySchemas.Proposals>;
export type Proposal = Proposals['proposals'][number];
export type ToDivide = Static<typeof vocabularySchemas.ToDivide>;

/** What is written about an object the model never saw. */
export interface WrittenText {
  readonly title: string;
  /** By column; the column "" is the one text of a model without columns. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface NewReview {
  readonly object: string;
  readonly tag: string;
  readonly decision: Decision;
  readonly curator?: string;
  readonly note?: string;
}
