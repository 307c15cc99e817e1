/** A cookie's name and attributes, as data. */
export interface CookieForm {
  readonly name: string;
  readonly path: "/";
  readonly httpOnly: true;
  readonly secure: boolean;
  /** Strict, but for a sign-in that comes back from a provider: that is a navigation from another site. */
  readonly sameSite: "Strict" | "Lax";
}

/**
 * The form of the session's cookie. Over TLS its name begins with __Host-, which browsers take only with Secure, for this very host and from it: no neighbouring
 * host can set it. On loopback without TLS, where not every browser keeps a Secure cookie, the name is plain.
 */
export function sessionCookie(tls: boolean): CookieForm {
  return { name: tls ? "__Host-lethe" : "lethe", path: "/", httpOnly: true, secure: tls, sameSite: "Strict" };
}

/** The form of the cookie that holds a sign-in until it comes back. */
export function pendingCookie(tls: boolean): CookieForm {
  return { ...sessionCookie(tls), name: tls ? "__Host-lethe-sign-in" : "lethe-sign-in", sameSite: "Lax" };
}

/** A Set-Cookie header. The cookie ends with the browser; the service ends the session itself. `value` null removes it. */
export function setCookie({ name, path, secure, sameSite }: CookieForm, value: string | null): string {
  return [
    `${name}=${value ?? ""}`,
    `Path=${path}`,
    "HttpOnly",
    `SameSite=${sameSite}`,
    ...(secure ? ["Secure"] : []),
    ...(value === null ? ["Max-Age=0"] : []),
  ].join("; ");
}

/** The value of a cookie in a Cookie header; null where it is missing, is no secret of ours, or came twice: one of the two would be somebody else's. */
export function readCookie(header: string | null | undefined, { name }: CookieForm): string | null {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value] = values;
  return values.length === 1 && value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}
