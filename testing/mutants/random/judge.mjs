import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { runTests } from "../run-tests.mjs";

const minutes = 60_000;
/** The tests that a fault meets alone, in rounds: most die by their own test, which should not wait for slower ones beside it. */
const rounds = [
  [0, 2],
  [2, 12],
];
const nearest = 12;

/**
 * Judges faults in copies of the source. A fault first meets the tests nearest to it; those that live are put into one copy together, and all tests
 * that import any of them run once. What passes there passes with each of them, unless two faults undo each other; what fails is then
 * run with each alone. Files that no longer load, and tests that do not end, are red as well.
 */
export class Judge {
  #related;
  #workers;
  #passesWithout = new Map();

  constructor(related, workers) {
    this.#related = related;
    this.#workers = workers;
  }

  /** The test that a fault fails among those nearest to it, or null. */
  async nearKill(fault, workplace) {
    const tests = this.#related.testsOf(fault.path);
    for (const [from, to] of rounds) {
      const by = await this.#killOf(fault, tests.slice(from, to), workplace);
      if (by !== null) return by;
    }
    return null;
  }

  /** Of the faults that the nearest tests let live: { fault, by } for each, `by` being null where no test at all fails. */
  async farKills(faults, workplace) {
    const red = await this.#redTogether(faults, workplace);
    const judged = [];
    for (const fault of faults) {
      const files = this.#related.testsOf(fault.path).filter((file) => red.has(file));
      judged.push({ fault, by: await this.#killOf(fault, files, workplace) });
    }
    return judged;
  }

  async #redTogether(faults, workplace) {
    const files = [...new Set(faults.flatMap(({ path }) => this.#related.testsOf(path).slice(nearest)))];
    if (files.length === 0) return new Set();
    const restores = faults.map(({ path, ...fault }) => workplace.edit(path, fault));
    try {
      build(workplace.folder);
      const { red } = await runTests(workplace.folder, files, {
        bail: false,
        timeoutMs: 90 * minutes,
        workers: this.#workers,
      });
      return new Set(red ?? files);
    } finally {
      for (const restore of restores.reverse()) restore();
    }
  }

  async #killOf(fault, files, workplace) {
    if (files.length === 0) return null;
    const restore = workplace.edit(fault.path, fault);
    let result;
    try {
      if (files.some(startsPrograms)) build(workplace.folder);
      result = await runTests(workplace.folder, files, { bail: true, timeoutMs: 10 * minutes });
    } finally {
      restore();
    }
    if (result.outcome === "passed") return null;
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
