// The entry tagloom/service: a model and its reviews behind an HTTP API and a page. It needs the optional packages of the service.

export { createService, type Service, type ServiceOptions } from './serving/http/service.ts';
export type {
  Change,
  CuratorCount,
  Decided,
  Decision,
  DecisionCounts,
  NewReview,
  Review,
  ReviewFilter,
  ReviewStore,
  Verdict,
} from './serving/reviews/review-store.ts';
