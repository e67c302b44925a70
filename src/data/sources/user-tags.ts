// Tags that many users gave freely, and the rule that says which of them to believe. Counted are distinct users of a
// pair (object, tag), distinct users of a tag and distinct objects of a tag, all before anything is left out.

import { PairList, type Relation } from '../relation.ts';
import { VocabularyBuilder } from '../vocabulary.ts';

export interface UserTagRule {
  /** A tag must be on at least this many objects. */
  readonly minObjects: number;
  /** A pair is kept if this many users gave it … */
  readonly minPairUsers: number;
  /** … or if this many users used its tag, on whatever object. */
  readonly minTagUsers: number;
}

export class UserTags {
  readonly #users = new VocabularyBuilder();
  readonly #tags = new VocabularyBuilder();
  readonly #tagTexts: string[] = []; // by tag
  readonly #numObjects: number[] = []; // by tag
  readonly #pairs = new VocabularyBuilder(); // "object tag", as ids
  readonly #pairObject: number[] = []; // by pair
  readonly #pairTag: number[] = []; // by pair
  readonly #usersOfPair = new PairList(); // (pair, user)
  readonly #usersOfTag = new PairList(); // (tag, user)

  add(userName: string, object: number, tagName: string): void {
    const user = this.#users.add(userName);
    const tag = this.#tags.add(tagName);
    if (tag === this.#tagTexts.length) {
      this.#tagTexts.push(tagName);
      this.#numObjects.push(0);
    }
    const pair = this.#pairs.add(`${object} ${tag}`);
    if (pair === this.#pairObject.length) {
      this.#pairObject.push(object);
      this.#pairTag.push(tag);
      this.#numObjects[tag]++;
    }
    this.#usersOfPair.add(pair, user);
    this.#usersOfTag.add(tag, user);
  }

  /** Calls `onPair` for each pair the rule keeps. Empties the counts: call it once. */
  keep(rule: UserTagRule, onPair: (object: number, tag: string) => void): void {
    const usersOfPair = this.#distinct(this.#usersOfPair, this.#pairObject.length);
    const usersOfTag = this.#distinct(this.#usersOfTag, this.#tagTexts.length);
    for (let pair = 0; pair < this.#pairObject.length; pair++) {
      const tag = this.#pairTag[pair];
      if (this.#numObjects[tag] < rule.minObjects) continue;
      if (usersOfPair.rowLength(pair) < rule.minPairUsers && usersOfTag.rowLength(tag) < rule.minTagUsers) continue;
      onPair(this.#pairObject[pair], this.#tagTexts[tag]);
    }
  }

  #distinct(pairs: PairList, numHeads: number): Relation {
    return pairs.toRelation(sameIds(numHeads), sameIds(this.#users.size));
  }
}

function sameIds(size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, id) => id);
}
