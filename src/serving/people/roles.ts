// What people may do: each role may all that those before it may.

export const ROLES = ['read', 'review', 'administrate'] as const;

/** read, review or administrate. */
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

/** Whether who has one role may what needs the other. */
export function mayDo(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Who asks: a name only where it was proved by a token of their own or by a proxy. */
export interface Actor {
  readonly name: string | undefined;
  readonly role: Role;
}
