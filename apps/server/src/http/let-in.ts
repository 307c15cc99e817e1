import {
  bearer,
  closeSession,
  openSession,
  principalOfSession,
  principalOfToken,
  type RateLimits,
  readCookie,
  requireSameOrigin,
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
  /** Whether browsers reach the service over TLS. */
  readonly tls: boolean;
  /** The service's own origin, as https://lethe.example.org. */
  readonly origin: string;
}

/**
 * Lets requests in by a token or by a session's cookie. A token goes before a cookie, and a request with a token is judged by it alone. A request that a session would vouch for
 * must come from a page of the service.
 */
export function letIn({ sessions, limits, tls, origin }: LetInParts): Admission {
  const { people, now } = sessions;
  const form = sessionCookie(tls);
  const cookieOf = (headers: Headers): string | null => readCookie(headers.get("cookie"), form);
  const sameOrigin = ({ method, headers }: Pick<Incoming, "method" | "headers">): void =>
    requireSameOrigin(
      { method, origin: headers.get("origin"), fetchSite: headers.get("sec-fetch-site") },
      origin,
    );
  return {
    identify: async (incoming) => {
      const token = bearer(incoming.headers.get("authorization"));
      if (token !== null) return principalOfToken(people, token, now());
      const secret = cookieOf(incoming.headers);
      if (secret === null) return null;
      sameOrigin(incoming);
      return principalOfSession(sessions, secret);
    },
    admit: (kind, who, address) => {
      const waitMs = limits.waitMs({ kind, person: who?.name ?? null, address, at: now() });
      if (waitMs > 0) throw tooMany(waitMs);
    },
    begin: async (incoming, signIn) => {
      sameOrigin(incoming);
      const person = await signIn();
      return setCookie(form, await openSession(sessions, person, cookieOf(incoming.headers)));
    },
    end: async ({ headers }) => {
      await closeSession(sessions, cookieOf(headers));
      return setCookie(form, null);
    },
  };
}
