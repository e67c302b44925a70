import { describe, expect, it } from 'vitest';
import { understandColumns } from '../../src/data/catalogue/columns.ts';
import { choiceOf, faultOfRoles, type Roles, rolesOf } from '../../web/src/train/column-choice.ts';

const names = ['sku', 'name', 'blurb', 'labels', 'page'];
const cells = [
  ['a1', 'a2', 'a3'],
  ['Tea pot', 'Coffee mug', 'Water glass'],
  ['A pot for tea, made of clay', 'A mug for coffee, made of clay', 'A glass for water, made of glass'],
  ['tea;clay', 'coffee;clay', 'water;glass'],
  ['https://shop.example/1', 'https://shop.example/2', 'https://shop.example/3'],
];

/** What the library makes of it. */
function understood(roles: Roles, separator = ''): (string | undefined)[] {
  return understandColumns('x.csv', names, cells, choiceOf(roles, separator)).columns.map(({ role }) => role);
}

describe('choiceOf', () => {
  it('is taken as it is said: nothing that is not used is detected again', () => {
    const said: Roles = { sku: '', name: 'text', blurb: '', labels: 'tags', page: '' };
    expect(understood(said)).toEqual([undefined, 'text', undefined, 'tags', undefined]);
    const other: Roles = { sku: 'title', name: 'id', blurb: 'text', labels: 'tags', page: 'image' };
    expect(understood(other)).toEqual(['title', 'id', 'text', 'tags', 'image']);
  });

  it('leaves to detection what a person leaves to it', () => {
    const detect = Object.fromEntries(names.map((name) => [name, 'detect' as const]));
    expect(understood({ ...detect, labels: 'tags' })).toEqual(['id', 'title', 'text', 'tags', 'url']);
    expect(understood({ ...detect, labels: 'tags', page: '' })).toEqual(['id', 'title', 'text', 'tags', undefined]);
  });

  it('has a separator only where one is chosen', () => {
    expect(choiceOf({ labels: 'tags' }, '')).toEqual({ tags: ['labels'], text: [], leaveOut: [] });
    expect(choiceOf({ labels: 'tags' }, ' ')).toMatchObject({ separator: ' ' });
  });
});

it('rolesOf gives back the roles of a choice', () => {
  const roles: Roles = { sku: 'id', name: 'text', blurb: '', labels: 'tags', page: 'url', more: 'tags' };
  expect(rolesOf(choiceOf(roles, ';'))).toEqual(roles);
  expect(rolesOf(choiceOf({ sku: 'detect', name: 'title' }, ''))).toEqual({ name: 'title' });
  expect(rolesOf({})).toEqual({});
});

describe('faultOfRoles', () => {
  it('asks for tags, and for one column of what there is one of', () => {
    expect(faultOfRoles({ name: 'title' })).toBe('Choose the column that holds the tags.');
    expect(faultOfRoles({ a: 'title', b: 'title', c: 'tags' })).toBe('a and b are both “title”. Choose one of them.');
    expect(faultOfRoles({ a: 'text', b: 'text', c: 'tags', d: 'tags' })).toBeUndefined();
    expect(faultOfRoles({ a: 'detect' })).toBeUndefined();
  });
});
