import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import { type Policy, readPolicy } from "@lethe/query";

/** The places of one policy and of what belongs to it. Data paths in the policy are relative to `base`. */
export interface Workspace {
  readonly policyPath: string;
  readonly base: string;
  /** The folder of ledger, keys, seed, snapshots and log: the owner's, mode 0700. */
  readonly state: string;
  readonly ledger: string;
  readonly seed: string;
  readonly log: string;
}

/** Returns the layout under a policy's folder. Nothing is created. */
export function workspaceOf(policyPath = "lethe.yaml"): Workspace {
  const absolute = resolve(policyPath);
  const base = dirname(absolute);
  const state = join(base, ".lethe");
  return {
    policyPath: absolute,
    base,
    state,
    ledger: join(state, "ledger"),
    seed: join(state, "seed"),
    log: join(state, "owner.log"),
  };
}

/** Reads the policy of a workspace. Errors: policy.unreadable where there is none, cli.file, policy.*. */
export function policyOf({ policyPath }: Workspace): Policy {
  if (!existsSync(policyPath)) {
    throw new LetheError("policy.unreadable", `there is no policy ${policyPath}`, {
      fix: "draft one with lethe init FILE, or name yours with --policy",
      fields: { path: policyPath },
    });
  }
  return readPolicy(readText(policyPath, "the policy"));
}

/** Reads a text file of the user's. Errors: cli.file naming the path, never its content. */
export function readText(path: string, what: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw fileError("read", path, what, error);
  }
}

const fixes: Readonly<Record<string, string>> = {
  ENOENT: "check the path",
  ENOTDIR: "check the path",
  EISDIR: "name a file, not a folder",
  ENAMETOOLONG: "choose a shorter name",
  ENOSPC: "make room on the disk",
};

/** Returns the system's error in our family: its code (ENOENT, EACCES …), the path, what the file was for. */
export function fileError(verb: "read" | "write", path: string, what: string, error: unknown): LetheError {
  const reason = (error as NodeJS.ErrnoException).code ?? "unknown error";
  return new LetheError("cli.file", `cannot ${verb} ${what} ${path} (${reason})`, {
    fix: fixes[reason] ?? "check the file's permissions and the disk",
    fields: { path, reason },
  });
}
