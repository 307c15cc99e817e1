import { type Principal, signedOut } from "../access/index.ts";
import { bearer, principalOfToken } from "../people/index.ts";
import { readCookie, sessionCookie } from "./cookie.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { principalOfSession, type SessionHouse } from "./session.ts";

/** The words of a request about its sender: its method and five headers, each null where it is missing. */
export interface SenderHeaders {
  readonly method: string;
  readonly authorization: string | null;
  readonly cookie: string | null;
  readonly origin: string | null;
  readonly fetchSite: string | null;
}

/** The service as browsers see it. */
export interface Place {
  readonly origin: string;
  /** Whether that origin is https. */
  readonly tls: boolean;
}

/**
 * Says who sends a request, by its token or by its session's cookie; null where it has neither. An Authorization header decides alone: a request with a token that does not
 * hold is not let in by a cookie. A token is taken from this header and from nowhere else, so that none stands in an address. With a cookie the
 * request must come from the service's own origin, which a token's need not: no browser adds it by itself.
 * Errors: serve.signed-out for a token or session that does not hold; serve.origin.
 */
export async function identify(
  house: SessionHouse,
  { method, authorization, cookie, origin, fetchSite }: SenderHeaders,
  place: Place,
): Promise<Principal | null> {
  if (authorization !== null) {
    const token = bearer(authorization);
    if (token === null) throw signedOut();
    return principalOfToken(house.people, token, house.now());
  }
  const secret = readCookie(cookie, sessionCookie(place.tls));
  if (secret === null) return null;
  requireSameOrigin({ method, origin, fetchSite }, place.origin);
  return principalOfSession(house, secret);
}
