import type { Role } from "./role.ts";

/** The owner of a request's object, as seen by the asker: their own, somebody else's, or a route that has no object. */
export const tenants = ["own", "other", "none"] as const;

export type Tenant = (typeof tenants)[number];

/** The roles that may use a route, and on whose objects. A role that is not listed may not. */
export interface RouteAccess {
  /** Whether nobody needs to be signed in. Such a route has no object and tells nothing of anyone. */
  readonly open?: true;
  readonly owner?: readonly Tenant[];
  readonly analyst?: readonly Tenant[];
  readonly auditor?: readonly Tenant[];
  readonly operator?: readonly Tenant[];
  /** Roles that also may where the policy says `show_account`. */
  readonly whenAccountShown?: readonly Role[];
}

/** Every route of the service. */
export const routes = [
  "health.read",
  "sign-in.begin",
  "question.ask",
  "question.explain",
  "tables.list",
  "tables.describe",
  "request.read",
  "request.cancel",
  "release.list",
  "release.read",
  "certificate.list",
  "certificate.read",
  "share.offer",
  "share.take",
  "dashboard.list",
  "dashboard.add",
  "dashboard.read",
  "dashboard.change",
  "budget.read",
  "account.caps",
  "account.spending",
  "ledger.read",
  "policy.read",
  "policy.change",
  "person.list",
  "person.add",
  "person.read",
  "person.change",
  "password.change",
  "password.set",
  "token.list",
  "token.create",
  "token.revoke",
  "session.list",
  "session.revoke",
  "audit-log.read",
  "metrics.read",
  "status.read",
] as const;

/** The name of a route, the same for every protocol. */
export type Route = (typeof routes)[number];

/*
 * Routes whose object belongs to somebody (own, any): without one that the asker may see, they answer as if it did not exist.
 */
const any = ["own", "other"] as const;
const own = ["own"] as const;
const whole = ["none"] as const;

/**
 * Every route of the service, whatever the protocol: this table is the one place that says who may do what. What is not in it is denied.
 * docs/reference/access.md shows it; a test holds the two together.
 */
export const accessTable: Readonly<Record<Route, RouteAccess>> = {
  "health.read": { open: true },
  "sign-in.begin": { open: true },
  "question.ask": { owner: whole, analyst: whole },
  "question.explain": { owner: whole, analyst: whole },
  "tables.list": { owner: whole, analyst: whole, auditor: whole },
  "tables.describe": { owner: whole, analyst: whole, auditor: whole },
  "request.read": { owner: own, analyst: own },
  "request.cancel": { owner: own, analyst: own },
  "release.list": { owner: whole, analyst: whole },
  "release.read": { owner: any, analyst: own },
  "certificate.list": { owner: whole, analyst: whole, auditor: whole },
  "certificate.read": { owner: any, analyst: own, auditor: any },
  "share.offer": { owner: any, analyst: own },
  "share.take": { owner: whole, analyst: whole },
  "dashboard.list": { owner: whole, analyst: whole },
  "dashboard.add": { owner: whole, analyst: whole },
  "dashboard.read": { owner: own, analyst: own },
  "dashboard.change": { owner: own, analyst: own },
  "budget.read": { owner: any, analyst: own, auditor: any },
  "account.caps": { owner: whole, analyst: whole, auditor: whole },
  "account.spending": { owner: whole, auditor: whole, whenAccountShown: ["analyst"] },
  "ledger.read": { owner: whole, auditor: whole },
  "policy.read": { owner: whole, auditor: whole },
  "policy.change": { owner: whole },
  "person.list": { owner: whole, auditor: whole },
  "person.add": { owner: whole },
  "person.read": { owner: any, analyst: own, auditor: any, operator: own },
  "person.change": { owner: any },
  "password.change": { owner: own, analyst: own, auditor: own, operator: own },
  "password.set": { owner: any },
  "token.list": { owner: any, analyst: own, auditor: own, operator: own },
  "token.create": { owner: any, analyst: own, auditor: own, operator: own },
  "token.revoke": { owner: any, analyst: own, auditor: own, operator: own },
  "session.list": { owner: any, analyst: own, auditor: own, operator: own },
  "session.revoke": { owner: any, analyst: own, auditor: own, operator: own },
  "audit-log.read": { owner: whole, auditor: whole },
  "metrics.read": { owner: whole, operator: whole },
  "status.read": { owner: whole, operator: whole },
};
