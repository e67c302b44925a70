// The entry tagloom/service: a model and its reviews behind an HTTP API and a page. It needs the optional packages of the service.

export type { ProxyOptions } from './serving/http/proxy-identity.ts';
export { createService, type Service, type ServiceOptions } from './serving/http/service.ts';
export type { ClaimAsked, Claimed, ClaimPair, ClaimStore, HeldPair, Presence } from './serving/people/claim-store.ts';
export type { LogEntry, LogFilter, LogStore } from './serving/people/log-store.ts';
export type { Role } from './serving/people/roles.ts';
export type { ChangeOptions, KnownUser, User, UserStore, UserWithToken } from './serving/people/user-store.ts';
export type { Database, Queries } from './serving/reviews/database.ts';
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
  StoreOptions,
  Verdict,
} from './serving/reviews/review-store.ts';
export type { WebhookStore } from './serving/webhooks/webhook-store.ts';
export type { WebhookOptions } from './serving/webhooks/webhooks.ts';
