// Users in memory, for tests of what is above their store.

import type { Role } from '../../../src/serving/people/roles.ts';
import {
  type ChangeOptions,
  type KnownUser,
  LastAdministratorError,
  type User,
  UserNameError,
  type UserWithToken,
} from '../../../src/serving/people/user-store.ts';
import { digestOf, newToken } from '../../../src/serving/people/user-tokens.ts';

const NOT_SO = { got: 'this name', expected: 'another', cure: 'Choose another.' };

export class MemoryUsers {
  #users: KnownUser[] = [];

  async all(): Promise<KnownUser[]> {
    return this.#users;
  }

  async add(name: string, role: Role, { mayLeaveNone }: ChangeOptions): Promise<UserWithToken> {
    const before = this.#users.find((user) => user.name === name);
    if (name.trim() === '' || (before !== undefined && before.disabledAt === undefined))
      throw new UserNameError(NOT_SO);
    const token = newToken();
    const createdAt = '2026-03-04T09:00:00.000Z';
    const user = { id: String(this.#users.length + 1), name, role, createdAt };
    this.#put(
      [...this.#users.filter((one) => one !== before), { ...user, tokenSha256: digestOf(token) }],
      mayLeaveNone,
    );
    return { user, token };
  }

  async setRole(name: string, role: Role, { mayLeaveNone }: ChangeOptions): Promise<User> {
    return this.#change(name, { role }, mayLeaveNone);
  }

  async renewToken(name: string): Promise<UserWithToken> {
    const token = newToken();
    return { user: this.#change(name, { tokenSha256: digestOf(token) }, true), token };
  }

  async remove(name: string, { mayLeaveNone }: ChangeOptions): Promise<User> {
    return this.#change(name, { disabledAt: '2026-03-04T11:00:00.000Z' }, mayLeaveNone);
  }

  #change(name: string, parts: Partial<KnownUser>, mayLeaveNone: boolean): User {
    const found = this.#users.find((user) => user.name === name && user.disabledAt === undefined);
    if (found === undefined) throw new UserNameError(NOT_SO);
    const changed = { ...found, ...parts };
    this.#put(
      this.#users.map((user) => (user === found ? changed : user)),
      mayLeaveNone,
    );
    return changed;
  }

  #put(users: KnownUser[], mayLeaveNone: boolean): void {
    const isLeft = users.some(({ role, disabledAt }) => role === 'administrate' && disabledAt === undefined);
    if (!isLeft && !mayLeaveNone) throw new LastAdministratorError(NOT_SO);
    this.#users = users;
  }
}
