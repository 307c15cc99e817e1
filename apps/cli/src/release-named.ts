import { existsSync } from "node:fs";
import { LetheError } from "@lethe/core";
import type { AskOptions, Release } from "@lethe/gateway";
import { readText } from "./workspace.ts";

/** Reads the value of --target-release: a file that holds a release where there is one, else the id of a request. Errors: release.invalid. */
export function releaseNamed(named: string | undefined): Pick<AskOptions, "targetRelease"> {
  if (named === undefined) return {};
  if (!existsSync(named)) return { targetRelease: named };
  const release = parsed(readText(named, "the release"));
  if (release !== null) return { targetRelease: release };
  throw new LetheError("release.invalid", `${named} holds no release`, {
    fix: "name a file that lethe query --out wrote, or the id of a request",
  });
}

/** Returns a release, or null for any other text. Its content is compared with the ledger's own before anything of it is used. */
function parsed(text: string): Release | null {
  try {
    const json: Partial<Release> | null = JSON.parse(text);
    return typeof json?.certificate?.requestId === "string" ? (json as Release) : null;
  } catch {
    return null;
  }
}
