import { LetheError } from "@lethe/core";

/** The words of a browser about the page that sent a request. */
export interface SentBy {
  readonly method: string;
  /** The header Origin, or null. */
  readonly origin: string | null;
  /** The header Sec-Fetch-Site, or null. */
  readonly fetchSite: string | null;
}

/** Methods that change nothing. */
const safe: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Whether a request that comes with a cookie, or would open a session, was sent by a page of the service: GET and HEAD pass, since they change nothing. Any other must name the
 * service's own origin; one without an Origin must be said by the browser to be of the same origin. What cannot be checked does not pass.
 * @param own the service's origin, as https://lethe.example
 */
export function isSameOrigin({ method, origin, fetchSite }: SentBy, own: string): boolean {
  if (safe.has(method)) return true;
  return origin === null ? fetchSite === "same-origin" : origin === own;
}

/** Passes where {@link isSameOrigin} does. Errors: serve.origin. */
export function requireSameOrigin(sent: SentBy, own: string): void {
  if (!isSameOrigin(sent, own)) throw ofAnotherSite();
}

/**
 * Passes where a request names the service's own host, and an origin that is its own where it names one: what a program that speaks MCP must check, so that no page reaches it by a name
 * that was made to point here. Errors: serve.origin.
 * @param own the service's origin, as https://lethe.example
 */
export function requireOwnPlace(
  { host, origin }: { readonly host: string | null; readonly origin: string | null },
  own: string,
): void {
  if (host?.toLowerCase() !== new URL(own).host || (origin !== null && origin !== own)) throw ofAnotherSite();
}

function ofAnotherSite(): LetheError {
  return new LetheError("serve.origin", "the request does not come from a page of this service", {
    fix: "use the service's own pages, or a token; behind a proxy keep the header Host, and set origin in the service's configuration",
  });
}
