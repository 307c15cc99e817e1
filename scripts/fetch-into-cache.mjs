import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Puts what tests need and npm does not bring into a folder, and prints one line NAME=path for each that is there. It never fails: what cannot be had is named on standard error, and its
 * tests are skipped. What is fetched gets its place in one step, so that a run which is ended leaves nothing half done.
 * @param wanted for each { variable, path: where it lies, entry: the part of it that the variable names, works(entry), fetch(work): fetches it into an empty folder and returns where it lies there }
 */
export async function fetchIntoCache(folder, wanted) {
  await Promise.all(
    wanted.map(async ({ variable, path, entry = "", works, fetch }) => {
      const named = join(path, entry);
      try {
        if (!works(named)) await put(folder, path, fetch);
        if (!works(named)) throw new Error("it does not run on this machine");
        console.log(`${variable}=${named}`);
      } catch (error) {
        const [reason] = String(error.stderr || error.message)
          .trim()
          .split("\n");
        console.error(`no ${variable}, its tests will be skipped: ${reason}`);
      }
    }),
  );
}

/** Fetches one thing into an empty folder below `folder`, and gives what was fetched its place in one step. `fetch(work)` returns where it lies in that folder. */
export async function put(folder, path, fetch) {
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, "work-"));
  try {
    const fetched = await fetch(work);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { recursive: true, force: true });
    renameSync(fetched, path);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
