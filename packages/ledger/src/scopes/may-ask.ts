import type { Books } from "./books.ts";
import { type Asker, type ScopeName, scopesOf } from "./scope-name.ts";

/** The principal that exists on every account, whoever else is listed; under no sub-cap unless one is stated. */
export const owner = "owner";

/** Why a question may not be charged at all, whatever it costs. */
export interface Unasked {
  readonly why: "closed" | "revoked" | "unknown";
  readonly scope: ScopeName;
}

/**
 * Says why nothing may be charged to an asker; null where it may. Where the policy lists analysts, only they and the owner may ask; where a project
 * lists analysts, only they and the owner may ask in it. A project that no policy states is unknown to everybody.
 */
export function mayAsk(books: Books, asker: Asker): Unasked | null {
  const { account } = books;
  const { principal, project } = asker;
  if (account.closed || account.shut) return { why: "closed", scope: ["account"] };
  const analyst = ["analyst", principal] as const;
  const own = books.scope(analyst);
  if (own?.shut) return { why: "revoked", scope: analyst };
  if (principal !== owner && account.listsAnalysts && !own?.listed) return { why: "unknown", scope: analyst };
  if (project !== null) {
    const stated = books.scope(["project", project]);
    if (!stated?.listed) return { why: "unknown", scope: ["project", project] };
    const member = ["member", principal, project] as const;
    if (principal !== owner && stated.listsMembers && !books.scope(member)?.listed)
      return { why: "unknown", scope: member };
  }
  const shut = scopesOf(asker).find((name) => books.scope(name)?.shut);
  return shut ? { why: "closed", scope: shut } : null;
}

/** Whose executions too many of did not finish, the account's or the principal's; null where another may begin. */
export function stalled({ account, scope }: Books, principal: string): "account" | "principal" | null {
  if (!(account.failures + account.open < account.failureCap)) return "account";
  const { failures = 0, open = 0, moreFailures = 0 } = scope(["analyst", principal]) ?? {};
  return failures + open < account.failureCapEach + moreFailures ? null : "principal";
}
