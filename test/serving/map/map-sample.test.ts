import { describe, expect, it } from 'vitest';
import { permutation, Random } from '../../../src/random.ts';
import { relationsOf, sampleOf } from '../../../src/serving/map/map-sample.ts';
import type { MapTask } from '../../../src/serving/map/map-vectors.ts';
import { checkerboard } from '../../checkerboard.ts';

const { users, objects, tags, interact, tagged } = checkerboard();
const taskOf = (side: MapTask['side']): MapTask => ({
  side,
  numUsers: users.size,
  numObjects: objects.size,
  numTags: tags.size,
  interact,
  tagged,
});

describe('sampleOf(task, most)', () => {
  it('leaves a task alone whose points all fit', () => {
    const task = taskOf('objects');
    expect(sampleOf(task, objects.size)).toEqual({ ids: Int32Array.from(Array(objects.size).keys()), task });
  });

  it('takes any objects, with all that is known of them and nothing else', () => {
    const { ids, task } = sampleOf(taskOf('objects'), 25);
    const data = relationsOf(task);
    expect(ids).toHaveLength(25);
    expect(ids).toEqual(ids.toSorted());
    for (const [place, id] of ids.entries()) {
      expect(data.tagged.row(place)).toEqual(tagged.row(id));
      expect(data.interact.reversed().row(place)).toEqual(interact.reversed().row(id));
    }
    expect(data.tagged.size).toBe(ids.reduce((sum, id) => sum + tagged.rowLength(id), 0));
  });

  it('takes no object of which nothing is known', () => {
    const bare = { ...taskOf('objects'), numObjects: 1000 }; // only the first have users or tags
    const { ids } = sampleOf(bare, 100);
    expect(ids).toEqual(Int32Array.from(Array(objects.size).keys()));
  });

  it('takes the most used tags, by all objects or, of too many, by some', () => {
    const counts = Array.from({ length: tags.size }, (_, tag) => tagged.reversed().rowLength(tag));
    const { ids, task } = sampleOf(taskOf('tags'), 7);
    const least = Math.min(...Array.from(ids, (tag) => counts[tag]));
    const others = counts.filter((_, tag) => !ids.includes(tag));
    expect(Math.max(...others)).toBeLessThanOrEqual(least);
    const { tagged: own } = relationsOf(task);
    for (const [place, tag] of ids.entries()) expect(own.reversed().row(place)).toEqual(tagged.reversed().row(tag));
    const fewer = sampleOf(taskOf('tags'), 7, 30).task;
    expect(fewer.numObjects).toBe(30);
    expect(relationsOf(fewer).tagged.size).toBeLessThan(own.size);
  });

  it('takes the vectors of a model along', () => {
    const width = 3;
    const values = Float32Array.from(permutation(objects.size * width, new Random(1, 'vectors')));
    const { ids, task } = sampleOf({ ...taskOf('objects'), embeddings: { width, values } }, 10);
    for (const [place, id] of ids.entries()) {
      const own = task.embeddings?.values.subarray(place * width, (place + 1) * width);
      expect(own).toEqual(values.subarray(id * width, (id + 1) * width));
    }
  });
});
