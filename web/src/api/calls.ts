// The calls of the API that the page makes, one function each.

import { path, request, withQuery } from './request.ts';
import type {
  Comparison,
  CuratorList,
  DecidedList,
  Declaration,
  Explanation,
  MapFacts,
  MapProgress,
  MissingObjects,
  ModelFacts,
  NewReview,
  ObjectFacts,
  ObjectList,
  ObjectSuggestions,
  Proposals,
  QueuePage,
  Review,
  ReviewCounts,
  ReviewList,
  SimilarObjects,
  SimilarTags,
  TagLine,
  TagList,
  ToDivide,
  Training,
  UnseenSuggestions,
  VocabularyChange,
  VocabularyChanges,
  VocabularyPreview,
  VocabularyTags,
  WrittenText,
} from './shapes.ts';

type Signal = AbortSignal | undefined;

interface Paging {
  readonly limit?: number;
  readonly cursor?: string | undefined;
}

/** Where the accepted links are downloaded from. */
export const EXPORT_ADDRESS = '/v1/reviews/export?decision=accept';

export function getModel(signal?: Signal): Promise<ModelFacts> {
  return request('/v1/model', { signal });
}

export function findObjects(query: string, limit: number, signal?: Signal): Promise<ObjectList> {
  return request(withQuery('/v1/objects', { query, limit }), { signal });
}

export function findTags(query: string, limit: number, signal?: Signal): Promise<TagList> {
  return request(withQuery('/v1/tags', { query, limit }), { signal });
}

export function getObject(id: string, signal?: Signal): Promise<ObjectFacts> {
  return request(path`/v1/objects/${id}`, { signal });
}

export function getSuggestions(id: string, limit: number, signal?: Signal): Promise<ObjectSuggestions> {
  return request(withQuery(path`/v1/objects/${id}/suggestions`, { limit }), { signal });
}

export function getExplanation(id: string, tag: string, signal?: Signal): Promise<Explanation> {
  return request(withQuery(path`/v1/objects/${id}/explanation`, { tag }), { signal });
}

/** With the words that count for each and where they stand. */
export function suggestToText(
  { title, texts }: WrittenText,
  limit: number,
  minConfidence: number,
  signal?: Signal,
): Promise<UnseenSuggestions> {
  const sure = minConfidence > 0 ? { minConfidence } : {};
  const byColumn = Object.fromEntries(Object.entries(texts).map(([column, text]) => [column, sendable(text)]));
  const text = Object.hasOwn(byColumn, '') ? byColumn[''] : byColumn;
  const body = { title: sendable(title), text, limit, ...sure, explain: true };
  return request('/v1/suggest', { method: 'POST', body, signal });
}

/** Without what the service refuses, as something pasted may hold it; every other character stays in its place. */
function sendable(text: string): string {
  return text.replaceAll(/\0|\p{Surrogate}/gu, ' ');
}

export function getSimilarObjects(id: string, limit: number, signal?: Signal): Promise<SimilarObjects> {
  return request(withQuery(path`/v1/objects/${id}/similar`, { limit }), { signal });
}

export function getTag(tag: string, signal?: Signal): Promise<TagLine> {
  return request(path`/v1/tags/${tag}`, { signal });
}

export function getCarriers(tag: string, paging: Paging, signal?: Signal): Promise<ObjectList> {
  return request(withQuery(path`/v1/tags/${tag}/objects`, { ...paging }), { signal });
}

export function getMissing(tag: string, paging: Paging, signal?: Signal): Promise<MissingObjects> {
  return request(withQuery(path`/v1/tags/${tag}/missing`, { ...paging }), { signal });
}

export function getSimilarTags(tag: string, limit: number, signal?: Signal): Promise<SimilarTags> {
  return request(withQuery(path`/v1/tags/${tag}/similar`, { limit }), { signal });
}

export function getQueue(
  options: Paging & {
    readonly minConfidence?: number | undefined;
    readonly tag?: string | undefined;
    readonly group?: string | undefined;
    readonly order?: string | undefined;
  },
  signal?: Signal,
): Promise<QueuePage> {
  return request(withQuery('/v1/queue', { ...options }), { signal });
}

export function getReviews(
  options: Paging & {
    readonly object?: string;
    readonly tag?: string;
    readonly decision?: string;
    readonly curator?: string;
  },
  signal?: Signal,
): Promise<ReviewList> {
  return request(withQuery('/v1/reviews', { ...options }), { signal });
}

export function getReviewCounts(
  options: { readonly since: string; readonly curator?: string },
  signal?: Signal,
): Promise<ReviewCounts> {
  return request(withQuery('/v1/reviews/counts', { ...options }), { signal });
}

export function getCurators(signal?: Signal): Promise<CuratorList> {
  return request('/v1/reviews/curators', { signal });
}

export function postReview(review: NewReview): Promise<Review> {
  return request('/v1/reviews', { method: 'POST', body: review });
}

/** At most 1000 at a time: all are kept, or none. */
export function postReviews(reviews: readonly NewReview[]): Promise<DecidedList> {
  return request('/v1/reviews/batch', { method: 'POST', body: { reviews } });
}

/** `curator`: who undoes it, where no token says it. */
export function deleteReview(id: string, curator = ''): Promise<Review> {
  return request(withQuery(path`/v1/reviews/${id}`, { curator }), { method: 'DELETE' });
}

export function getMap(of: 'tags' | 'objects', signal?: Signal): Promise<MapFacts | MapProgress> {
  return request(`/v1/map/${of}`, { signal });
}

/** Where the vocabulary is downloaded from. */
export const VOCABULARY_ADDRESS = '/v1/vocabulary/export';

export function getVocabulary(
  options: Paging & { readonly query?: string; readonly show?: string },
  signal?: Signal,
): Promise<VocabularyTags> {
  return request(withQuery('/v1/vocabulary', { ...options }), { signal });
}

export function getVocabularyChanges(paging: Paging, signal?: Signal): Promise<VocabularyChanges> {
  return request(withQuery('/v1/vocabulary/changes', { ...paging }), { signal });
}

export function getProposals(paging: Paging, signal?: Signal): Promise<Proposals> {
  return request(withQuery('/v1/vocabulary/proposals', { ...paging }), { signal });
}

export function getToDivide(tag: string, paging: Paging, signal?: Signal): Promise<ToDivide> {
  return request(withQuery(path`/v1/tags/${tag}/divide`, { ...paging }), { signal });
}

export function previewChange(declaration: Declaration, signal?: Signal): Promise<VocabularyPreview> {
  return request('/v1/vocabulary/preview', { method: 'POST', body: declaration, signal });
}

export function postChange(declaration: Declaration, curator: string): Promise<VocabularyChange> {
  return request('/v1/vocabulary/changes', { method: 'POST', body: { ...declaration, curator } });
}

export function deleteChange(id: string, curator: string): Promise<VocabularyChange> {
  return request(withQuery(path`/v1/vocabulary/changes/${id}`, { curator }), { method: 'DELETE' });
}

export function getComparison(signal?: Signal): Promise<Comparison> {
  return request('/v1/comparison', { signal });
}

export function getTraining(signal?: Signal): Promise<Training> {
  return request('/v1/model/training', { signal });
}

export function startTraining(useIfBetter: boolean): Promise<Training> {
  return request('/v1/model/training', { method: 'POST', body: { useIfBetter } });
}

/** Stops it; or, where none runs, forgets why it failed, or the new model. */
export function stopTraining(): Promise<Training> {
  return request('/v1/model/training', { method: 'DELETE' });
}

export function postUse(): Promise<Training> {
  return request('/v1/model/training/use', { method: 'POST' });
}

export function postRestore(): Promise<Training> {
  return request('/v1/model/restore', { method: 'POST' });
}
