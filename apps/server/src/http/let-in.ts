import {
  closeSession,
  identify,
  openSession,
  type Place,
  type RateLimits,
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
  readonly sessions: SessionHouse;
  readonly limits: RateLimits;
  /** Milliseconds by a clock that nobody sets, for the rates: a date that is set back makes nobody wait. */
  readonly elapsed: () => number;
  /** The service as browsers see it. */
  readonly place: Place;
}

/** Lets requests in by a token or by a session's cookie: see `identify`. A sign-in must come from a page of the service, as a request with a cookie must. */
export function letIn({ sessions, limits, elapsed, place }: LetInParts): Admission {
  const form = sessionCookie(place.tls);
  const cookieOf = (headers: Headers): string | null => readCookie(headers.get("cookie"), form);
  return {
    identify: (incoming) => identify(sessions, sentBy(incoming), place),
    admit: (kind, who, address) => {
      const waitMs = limits.waitMs({ kind, person: who?.name ?? null, address, at: elapsed() });
      if (waitMs > 0) throw tooMany(waitMs);
    },
    requireOwnPlace: ({ headers }) =>
      requireOwnPlace({ host: headers.get("host"), origin: headers.get("origin") }, place.origin),
    begin: async (incoming, signIn) => {
      requireSameOrigin(sentBy(incoming), place.origin);
      const person = await signIn();
      return setCookie(form, await openSession(sessions, person, cookieOf(incoming.headers)));
    },
    end: async (incoming) => {
      requireSameOrigin(sentBy(incoming), place.origin);
      await closeSession(sessions, cookieOf(incoming.headers));
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
