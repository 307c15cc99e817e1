import { LetheError } from "@lethe/core";
import { readText } from "../../workspace.ts";

/** The options that name a running service, and who asks it. */
export interface ServerFlags {
  readonly server?: string;
  readonly tokenFile?: string;
}

/** A running service, and a token that it knows somebody by. */
export interface ServerNamed {
  /** Its origin. */
  readonly server: string;
  readonly token: string;
}

/** Reads the options that name a service. Errors: cli.usage; cli.file for a token that cannot be read. */
export function serverNamed({ server = "", tokenFile }: ServerFlags): ServerNamed {
  if (tokenFile === undefined)
    throw new LetheError("cli.usage", "a service is asked by a token", {
      fix: "write --token-file FILE; lethe people token NAME makes one",
    });
  return { server: originOf(server), token: tokenIn(tokenFile) };
}

/** Reads a token from its file, so that no list of processes shows it. Errors: cli.file; cli.usage where the file holds something else. */
export function tokenIn(file: string): string {
  const token = readText(file, "the token").trim();
  if (/^lethe_[0-9a-f]{16}_[\w-]{43}$/.test(token)) return token;
  throw new LetheError("cli.usage", `${file} holds no token`, {
    fix: "write one line into it, which begins with lethe_ and which lethe people token NAME prints",
  });
}

/** A token is sent in the clear to this machine alone. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search !== "")
    throw new LetheError("cli.usage", `${text || '""'} is no address of a service`, {
      fix: "write --server https://lethe.example, without a path",
    });
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !isHere)
    throw new LetheError("cli.usage", `the token would be sent to ${url.host} in the clear`, {
      fix: `write --server https://${url.host}`,
    });
  return url.origin;
}
