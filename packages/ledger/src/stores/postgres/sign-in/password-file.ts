import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Whom a password is for. */
export interface SignIn {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** The password file of libpq: what PGPASSFILE names, or its usual place. */
export function passwordFile(): string {
  const named = process.env.PGPASSFILE;
  if (named) return named;
  const { APPDATA } = process.env;
  return process.platform === "win32" && APPDATA
    ? join(APPDATA, "postgresql", "pgpass.conf")
    : join(homedir(), ".pgpass");
}

/**
 * Returns the password of the first line `host:port:database:user:password` that fits, where `*` fits everything and a backslash takes the next
 * character as it is; null where there is no file, no such line, or others may read the file
 * (https://www.postgresql.org/docs/current/libpq-pgpass.html).
 */
export function passwordFrom(path: string, { host, port, database, user }: SignIn): string | null {
  let text: string;
  try {
    const { mode } = statSync(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) return null;
    text = readFileSync(path, "utf8");
  } catch {
    return null;
  }
  const wanted = [host, String(port), database, user];
  for (const line of text.split(/\r?\n/)) {
    const [, ...parts] = lineOf.exec(line) ?? [];
    const password = parts.pop();
    if (!password || line.startsWith("#")) continue;
    if (wanted.every((each, place) => parts[place] === "*" || plain(parts[place] ?? "") === each))
      return plain(password);
  }
  return null;
}

/** Four parts, and what is left. */
const lineOf = new RegExp(`^${String.raw`((?:\\.|[^\\:])*):`.repeat(4)}(.*)$`);

function plain(part: string): string {
  return part.replace(/\\(.)/g, "$1");
}
