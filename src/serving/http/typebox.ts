// TypeBox, as much of it as is used. The build makes one file of this and all it loads: as 530 modules it takes a fifth of a second
// of every start (scripts/bundle-typebox.mjs).

export { default as Type, type Static, type TSchema } from 'typebox';
export { Check, Compile } from 'typebox/schema'; // a third of typebox/compile to load, and all that plain shapes need
