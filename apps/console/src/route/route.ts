/** A place in the console: the address's part after "#", so that no question's text reaches a server's log. */
export interface Route {
  /** Such as "history", or "history/q-17". */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Reads a place from the address's hash. What cannot be decoded is left as it is.
 * @example routeOf("#/ask?sql=SELECT%201") // => { path: "ask", query: { sql: "SELECT 1" } }
 */
export function routeOf(hash: string): Route {
  const [path = "", query = ""] = splitOnce(hash.replace(/^#\/?/, ""), "?");
  return {
    path: path.split("/").map(decoded).filter(Boolean).join("/"),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/**
 * Writes a place as a link's address.
 * @example hrefOf("ask", { sql: "SELECT 1" }) // => "#/ask?sql=SELECT+1"
 */
export function hrefOf(path: string, query: Readonly<Record<string, string>> = {}): string {
  const asked = new URLSearchParams(query).toString();
  return `#/${path.split("/").map(encodeURIComponent).join("/")}${asked === "" ? "" : `?${asked}`}`;
}

function splitOnce(text: string, at: string): readonly string[] {
  const place = text.indexOf(at);
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + at.length)];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
