// The latest answers, ready to send. Bounded by what they take, so that a long run stays where it is; the one unused for
// longest goes first. An answer counts for the revision it was made at and no other.

export interface Answer {
  readonly revision: string;
  readonly body: string;
  /** How many suggestions it holds. */
  readonly count: number;
}

const OVERHEAD = 200; // bytes of an entry beside its texts, about

export class AnswerCache {
  readonly #answers = new Map<string, Answer>(); // from unused to used
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string, revision: string): Answer | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    if (answer.revision === revision) {
      this.#answers.set(key, answer);
      return answer;
    }
    this.#bytes -= sizeOf(key, answer);
    return undefined;
  }

  set(key: string, answer: Answer): void {
    const size = sizeOf(key, answer);
    if (size > this.#maxBytes) return;
    const before = this.#answers.get(key);
    if (before !== undefined) this.#bytes -= sizeOf(key, before);
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    this.#bytes += size;
    for (const [oldest, entry] of this.#answers) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#answers.delete(oldest);
      this.#bytes -= sizeOf(oldest, entry);
    }
  }
}

function sizeOf(key: string, { body }: Answer): number {
  return 2 * (key.length + body.length) + OVERHEAD; // two bytes a character at most
}
