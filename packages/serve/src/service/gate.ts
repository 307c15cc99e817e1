import { LetheError } from "@lethe/core";
import {
  type AccessHouse,
  type Principal,
  type Route,
  requireAccess,
  type Subject,
} from "../access/index.ts";
import { type Actor, type AuditTrail, actorOf, type CountedFact } from "../audit-log/index.ts";

/** The one way in, for every call of every protocol: the table of access says who may pass, and the audit log whom it did not let pass. */
export interface Gate {
  readonly access: AccessHouse;
  readonly trail: AuditTrail;
  /** Passes where `requireAccess` does, while the audit log is kept. Errors: those of requireAccess; log.lost. */
  pass(route: Route, who: Principal, subject: Subject | null): void;
  /** Passes as {@link Gate.pass} does, and writes down who saw what: another's object, or one of the whole service. Errors: those of pass. */
  read(route: Route, who: Principal, subject: Subject | null, request?: string): Promise<void>;
  /** Notes what was refused. Whoever was refused does not wait for it, so that its time tells nothing. */
  refused(actor: Actor, fact: CountedFact, apart?: string): void;
}

/** Opens the gate. `access` is looked at anew by each call. */
export function openGate(access: AccessHouse, trail: AuditTrail): Gate {
  const gate: Gate = {
    access,
    trail,
    pass(route, who, subject) {
      trail.requireKept();
      try {
        requireAccess(route, who, subject, access);
      } catch (error) {
        if (error instanceof LetheError)
          gate.refused(actorOf(who), { kind: "denied", route, code: error.code });
        throw error;
      }
    },
    async read(route, who, subject, request) {
      gate.pass(route, who, subject);
      if (subject?.owner === who.name) return;
      const person = subject?.owner ?? null;
      const fact = { kind: "read", route, person, request: request ?? null } as const;
      await trail.count(actorOf(who), fact, `${person} ${request}`);
    },
    refused: (actor, fact, apart) => void trail.count(actor, fact, apart).catch(() => undefined),
  };
  return gate;
}
