import { LetheError } from "@lethe/core";
import {
  type AuditTrail,
  actorOf,
  closeSession,
  identify,
  nobodyAt,
  openSession,
  type Place,
  type Principal,
  type RequestLimits,
  readCookie,
  requireOwnPlace,
  requireSameOrigin,
  type SenderHeaders,
  type SessionHouse,
  sessionCookie,
  setCookie,
  tooMany,
} from "@lethe/serve";
import type { Admission, Incoming } from "./admission.ts";

/** What people are let in with. */
export interface LetInParts {
  readonly trail: AuditTrail;
  readonly sessions: SessionHouse;
  readonly limits: RequestLimits;
  /** Milliseconds by a clock that nobody sets, for the rates: a date that is set back makes nobody wait. */
  readonly elapsed: () => number;
  /** The service as browsers see it. */
  readonly place: Place;
}

/** Lets requests in by a token or by a session's cookie: see `identify`. A sign-in must come from a page of the service, as a request with a cookie must. */
export function letIn({ sessions, limits, elapsed, place, trail }: LetInParts): Admission {
  const form = sessionCookie(place.tls);
  const cookieOf = (headers: Headers): string | null => readCookie(headers.get("cookie"), form);
  /** Notes whom the service did not let in, who does not wait for it. */
  const denied = (error: unknown, who: Principal | null, address: string): void => {
    if (!(error instanceof LetheError)) return;
    const fact = { kind: "denied", route: null, code: error.code } as const;
    void trail.count(who ? actorOf(who) : nobodyAt(address), fact).catch(() => undefined);
  };
  return {
    identify: async (incoming) => {
      trail.requireKept();
      const { address } = incoming;
      try {
        const who = await identify(sessions, sentBy(incoming), place);
        return who && { ...who, address };
      } catch (error) {
        denied(error, null, address);
        throw error;
      }
    },
    admit: async (kind, who, address, cost = 1) => {
      const waitMs = await limits.waitMs({ kind, person: who?.name ?? null, address, at: elapsed(), cost });
      if (waitMs === 0) return;
      const refusal = tooMany(waitMs);
      denied(refusal, who, address);
      throw refusal;
    },
    spend: async (kind, who, address, cost) =>
      limits.spend({ kind, person: who?.name ?? null, address, at: elapsed(), cost }),
    requireOwnPlace: ({ headers }) =>
      requireOwnPlace({ host: headers.get("host"), origin: headers.get("origin") }, place.origin),
    begin: async (incoming, signIn) => {
      requireSameOrigin(sentBy(incoming), place.origin);
      const person = await signIn();
      return setCookie(form, await openSession(sessions, person, cookieOf(incoming.headers)));
    },
    end: async (incoming) => {
      requireSameOrigin(sentBy(incoming), place.origin);
      trail.requireKept();
      await closeSession(sessions, cookieOf(incoming.headers), incoming.address);
      return setCookie(form, null);
    },
  };
}

function sentBy({ method, headers }: Incoming): SenderHeaders {
  return {
    method,
    authorization: headers.get("authorization"),
    cookie: headers.get("cookie"),
    origin: headers.get("origin"),
    fetchSite: headers.get("sec-fetch-site"),
  };
}
