// What the API answers about people, as the page sees it.

import type { Static } from 'typebox';
import type * as schemas from '../../../src/serving/http/people-schemas.ts';

export type Me = Static<typeof schemas.Me>;
export type Role = Me['role'];
export type User = Static<typeof schemas.User>;
export type UserToken = Static<typeof schemas.UserToken>;
export type LogEntry = Static<typeof schemas.LogEntry>;
export type LogList = Static<typeof schemas.LogList>;
export type Claims = Static<typeof schemas.Claims>;
export type Live = Static<typeof schemas.Live>;
