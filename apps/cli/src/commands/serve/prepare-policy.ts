import { renameSync, statSync, writeFileSync } from "node:fs";
import { fileError } from "../../workspace.ts";

/** Writes a policy beside the one at a path, with its rights, durable when it returns; `put` sets it in its place. Errors: cli.file. */
export function preparePolicy(path: string, text: string): { readonly put: () => Promise<void> } {
  const next = `${path}.next`;
  const tried = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      throw fileError("write", path, "the policy", error);
    }
  };
  tried(() => writeFileSync(next, text, { mode: statSync(path).mode & 0o777, flush: true }));
  return { put: async () => tried(() => renameSync(next, path)) };
}
