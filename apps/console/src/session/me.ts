/** What a person may be. A person may be several. */
export type Role = "owner" | "analyst" | "auditor" | "operator";

/** Who is signed in. */
export interface Me {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly projects: readonly string[];
}

/** Whether somebody has one of the roles. */
export function isOneOf(me: Me, roles: readonly Role[]): boolean {
  return me.roles.some((role) => roles.includes(role));
}
