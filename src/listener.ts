// How long-running library code tells its caller what it is doing. The library never prints;
// the CLI turns these calls into progress bars and warnings, a service may log or ignore them.

export interface Listener {
  /** A step has done `done` of `total` units; called often, so keep it cheap. */
  progress?(step: string, done: number, total: number): void;
  /** Something was put right silently; the sentence names where and how often. */
  warn?(message: string): void;
}
