// What the service counts, for Prometheus. Each service has a registry of its own, so that one program may run several.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export class Metrics {
  readonly #registry = new Registry();
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  readonly suggestions: Counter;
  readonly reviews: Counter<'decision'>;
  readonly undone: Counter;
  readonly modelLoad: Gauge;
  readonly webhookEvents: Counter<'outcome'>;
  readonly webhookWaiting: Gauge<'url'>;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.requests = new Histogram({
      name: 'tagloom_request_duration_seconds',
      help: 'How long requests took, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    });
    this.suggestions = new Counter({ name: 'tagloom_suggestions_total', help: 'Suggestions served.', registers });
    this.reviews = new Counter({
      name: 'tagloom_reviews_total',
      help: 'Reviews that were new, by decision.',
      labelNames: ['decision'],
      registers,
    });
    this.undone = new Counter({ name: 'tagloom_reviews_undone_total', help: 'Reviews undone.', registers });
    this.modelLoad = new Gauge({
      name: 'tagloom_model_load_seconds',
      help: 'How long the model in service took to load.',
      registers,
    });
    this.webhookEvents = new Counter({
      name: 'tagloom_webhook_events_total',
      help: 'Decisions and undos sent to webhooks, by what became of the request: delivered or failed.',
      labelNames: ['outcome'],
      registers,
    });
    this.webhookWaiting = new Gauge({
      name: 'tagloom_webhook_waiting',
      help: 'Decisions and undos that a webhook has not taken yet.',
      labelNames: ['url'],
      registers,
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
