export { type Access, type AccessHouse, allowed, type Subject } from "./allowed.ts";
export type { Principal, Proof } from "./principal.ts";
export { absent, requireAccess, signedOut } from "./require-access.ts";
export { isRole, type Role, roles } from "./role.ts";
export { routeKinds } from "./route-kind.ts";
export { accessTable, type Route, type RouteAccess, routes, type Tenant, tenants } from "./table.ts";
