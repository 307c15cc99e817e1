import { LetheError } from "@lethe/core";

/** What a URL says of a Trino. */
export interface TrinoAddress {
  /** Scheme, host and port: nothing else is ever asked. */
  readonly origin: string;
  readonly user: string;
  /** For basic authentication; null where there is none. */
  readonly password: string | null;
  /** A file whose whole text is a JSON Web Token, read before each request, so that it may be renewed; null where there is none. */
  readonly tokenFile: string | null;
  /** The catalog and schema of relations that do not state one. */
  readonly catalog: string | null;
  readonly schema: string | null;
  /** Properties of the session beside those that the engine sets. */
  readonly session: Readonly<Record<string, string>>;
}

const form = "https://user@host:8443/catalog/schema";

/**
 * Reads the URL of a Trino: https://user:password@host:port/catalog/schema?token_file=PATH&session.NAME=VALUE. Plain http is taken on this
 * machine's loopback alone, or where the owner writes transport=plaintext; a password or a token is never sent over it. Errors: engine.source, without the URL.
 * @example readTrinoUrl("https://lethe@trino.example:8443/lake/clinic").schema // => "clinic"
 */
export function readTrinoUrl(text: string): TrinoAddress {
  const url = URL.canParse(text) ? new URL(text) : refuse("is not a URL");
  if (url.protocol !== "https:" && url.protocol !== "http:") refuse("is not of https");
  if (url.username === "") refuse("names no user");
  if (url.hash !== "") refuse("has a fragment");
  const [catalog, schema, ...more] = url.pathname.split("/").slice(1).map(decoded);
  if (more.length > 0) refuse("names more than a catalog and a schema");
  const { tokenFile, session, isPlaintextAllowed } = optionsOf(url.searchParams);
  const password = url.password === "" ? null : decoded(url.password);
  if (password !== null && tokenFile !== null) refuse("has both a password and a token");
  if (url.protocol === "http:") {
    if (password !== null || tokenFile !== null) refuse("would send a password or a token in plain text");
    if (!isLoopback(url.hostname) && !isPlaintextAllowed)
      refuse(
        "would send rows in plain text",
        `use https, as ${form}, or write ?transport=plaintext where the network between is your own`,
      );
  }
  return {
    origin: url.origin,
    user: decoded(url.username),
    password,
    tokenFile,
    catalog: catalog || null,
    schema: schema || null,
    session,
  };
}

function optionsOf(
  parameters: URLSearchParams,
): Pick<TrinoAddress, "tokenFile" | "session"> & { readonly isPlaintextAllowed: boolean } {
  const session: Record<string, string> = {};
  let tokenFile: string | null = null;
  let isPlaintextAllowed = false;
  for (const [name, value] of parameters) {
    const [, property] = /^session\.([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)$/.exec(name) ?? [];
    if (property !== undefined) session[property] = value;
    else if (name === "token_file" && value !== "") tokenFile = value;
    else if (name === "transport" && value === "plaintext") isPlaintextAllowed = true;
    else
      refuse(
        "has an option that is not known",
        "its options are token_file, transport=plaintext and session.NAME",
      );
  }
  return { tokenFile, session, isPlaintextAllowed };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return refuse("has a part that is not encoded as URLs are");
  }
}

function refuse(wrong: string, fix = `write it as ${form}`): never {
  throw new LetheError("engine.source", `the URL of Trino ${wrong}`, { fix });
}
