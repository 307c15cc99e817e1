import { LetheError } from "@lethe/core";
import { type AccessHouse, allowed, type Subject } from "./allowed.ts";
import type { Principal } from "./principal.ts";

/** The refusal of whoever is not signed in: one text for a token or session that is missing, unknown, expired, revoked or of a disabled person. */
export function signedOut(): LetheError {
  return new LetheError("serve.signed-out", "nobody is signed in", {
    fix: "sign in, or send a token that has not ended: Authorization: Bearer lethe_…",
  });
}

/**
 * The refusal of an object that is not there, or is another's: the same for both, to the last byte. It does not repeat the id that was asked for.
 */
export function absent(): LetheError {
  return new LetheError("serve.absent", "there is no such thing for you", {
    fix: "check the id, and that you are signed in as the one whose it is",
  });
}

/**
 * Returns where {@link allowed} says so, and refuses everything else.
 * Errors: serve.signed-out; serve.forbidden, which names the route; serve.absent, which names nothing.
 */
export function requireAccess(
  route: string,
  who: Principal | null,
  subject: Subject | null,
  house: AccessHouse,
): void {
  switch (allowed(route, who, subject, house)) {
    case "allowed":
      return;
    case "signed-out":
      throw signedOut();
    case "absent":
      throw absent();
    case "forbidden":
      throw new LetheError("serve.forbidden", `none of your roles may use ${route}`, {
        fix: "ask an owner for the role that docs/reference/access.md names, or use a token that has it",
        fields: { route },
      });
  }
}
