import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { runTests } from "../run-tests.mjs";

const minutes = 60_000;
/**
 * The tests that a fault meets, of those that import it, the nearest first: most die by their own test, which should not wait for others.
 * `decides`: whether running out of time is a failure, as of a loop that does not end.
 */
export const rounds = [
  { from: 0, to: 2, timeoutMs: 4 * minutes, decides: true },
  { from: 2, to: 12, timeoutMs: 2 * minutes, decides: false },
  { from: 2, to: Number.POSITIVE_INFINITY, timeoutMs: 30 * minutes, decides: false },
];

/** Judges faults in copies of the source. */
export class Judge {
  #related;
  #passesWithout = new Map();

  constructor(related) {
    this.#related = related;
  }

  /** The test that a fault fails in a round, or null. */
  async killOf(fault, { from, to, timeoutMs, decides }, workplace) {
    const files = this.#related.testsOf(fault.path).slice(from, to);
    if (files.length === 0) return null;
    const restore = workplace.edit(fault.path, fault);
    let result;
    try {
      if (files.some(startsPrograms)) build(workplace.folder);
      result = await runTests(workplace.folder, files, { bail: true, timeoutMs, quickFirst: true });
    } finally {
      restore();
    }
    if (result.outcome === "passed" || (result.timedOut && !decides)) return null;
    const suspects = result.red?.length ? result.red : files;
    return (await this.#passWithout(suspects, workplace)) ? (result.by ?? "no test loads") : null;
  }

  /** A kill says something only where the tests that fail pass without the fault. */
  async #passWithout(files, workplace) {
    for (const file of files) {
      if (!this.#passesWithout.has(file)) {
        if (startsPrograms(file)) build(workplace.folder);
        const { outcome } = await runTests(workplace.folder, [file], { bail: true, timeoutMs: 10 * minutes });
        this.#passesWithout.set(file, outcome === "passed");
        if (outcome !== "passed")
          console.error(`${file} fails without any fault: what it kills is not counted`);
      }
      if (!this.#passesWithout.get(file)) return false;
    }
    return true;
  }
}

/** Tests of the command line and of whole processes start what was built. */
const startsPrograms = (file) => file.startsWith("apps/") || file.startsWith("testing/");

/** Builds the copy as `npm test` does. A fault that the build notices leaves nothing built, which tests then notice. */
function build(folder) {
  try {
    execFileSync(process.execPath, [join(folder, "scripts/build.mjs")], { cwd: folder, stdio: "ignore" });
  } catch {
    // The tests that start the program judge.
  }
}
