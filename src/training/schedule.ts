// How the learning rate falls from its start to zero, as a factor of the share of steps already taken.

export type Schedule = 'linear' | 'cosine' | 'constant';

const FACTORS: Readonly<Record<Schedule, (done: number) => number>> = {
  linear: (done) => 1 - done,
  cosine: (done) => (1 + Math.cos(Math.PI * done)) / 2,
  constant: () => 1,
};

/** `done`: share of the steps taken, 0 for the first one and less than 1 for the last. */
export function learningRateFactor(schedule: Schedule, done: number): number {
  return FACTORS[schedule](done);
}
