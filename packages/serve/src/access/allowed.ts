import type { Principal } from "./principal.ts";
import type { Role } from "./role.ts";
import { accessTable, type RouteAccess, type Tenant } from "./table.ts";

/** The object that a request is about. `owner` is whose it is, and null where there is no such thing. */
export interface Subject {
  readonly owner: string | null;
}

/** The rest that the answer depends on beside roles: public words of the policy. */
export interface AccessHouse {
  /** The policy's `show_account`. */
  readonly accountShown: boolean;
}

/** `absent` is said of what does not exist and of what the asker may not see, so that the two cannot be told apart. */
export type Access = "allowed" | "signed-out" | "forbidden" | "absent";

function tenantOf(who: Principal, subject: Subject | null): Tenant | null {
  if (subject === null) return "none";
  if (subject.owner === null) return null;
  return subject.owner === who.name ? "own" : "other";
}

/** The tenants of a route that a role may touch. Reads own members alone: a name such as "constructor" is no route. */
function granted(entry: RouteAccess, role: Role, house: AccessHouse): readonly Tenant[] {
  const always = entry[role] ?? [];
  return house.accountShown && entry.whenAccountShown?.includes(role) ? [...always, "none"] : always;
}

function entryOf(route: string): RouteAccess | null {
  const table: Readonly<Record<string, RouteAccess>> = accessTable;
  return Object.hasOwn(table, route) ? (table[route] ?? null) : null;
}

/** Whether a route is about an object that belongs to somebody. */
function hasObject(entry: RouteAccess): boolean {
  return [entry.owner, entry.analyst, entry.auditor, entry.operator].some((tenants) =>
    tenants?.some((tenant) => tenant !== "none"),
  );
}

/**
 * Says whether somebody may use a route on an object. A route that the table lacks, a role that it does not list and an object given to a route
 * without one are denied. A route about an object never answers "forbidden" once one was named: whether it exists is not told.
 * @param route a name of the table
 * @param who who asks, or null where nobody is signed in
 * @param subject the object, whose owner is null where it does not exist; null for a route without an object
 * @example allowed("release.read", ada, { owner: "bob" }, house) // => "absent"
 */
export function allowed(
  route: string,
  who: Principal | null,
  subject: Subject | null,
  house: AccessHouse,
): Access {
  const entry = entryOf(route);
  if (entry?.open) return subject === null ? "allowed" : "absent";
  if (who === null) return "signed-out";
  if (entry === null) return "absent";
  const tenant = tenantOf(who, subject);
  const may = tenant !== null && who.roles.some((role) => granted(entry, role, house).includes(tenant));
  if (may) return "allowed";
  return hasObject(entry) && subject !== null ? "absent" : "forbidden";
}
