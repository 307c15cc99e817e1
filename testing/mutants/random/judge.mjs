import { runTests } from "../run-tests.mjs";
import { buildIn } from "../workplace.mjs";

const minute = 60_000;
/** How long a step of test files takes without a fault, at most, where no single file takes longer. */
const secondsOfStep = 60;

/** The rounds, each met by all faults before the next: a fault's nearest tests, the quickest others, all others. */
export const roundCount = 3;

/**
 * The test files that a fault meets in a round, in steps that run one after the other until a test fails. `files` are those that reach the fault,
 * the nearest first: most faults die by their own test, which should not wait for others.
 */
export function stepsOf(files, round, secondsOf) {
  if (round === 0) return [files.slice(0, 2)].filter((step) => step.length > 0);
  const seconds = (file) => usualSeconds(file, secondsOf);
  const steps = [];
  let left = 0;
  for (const file of files.slice(2).sort((a, b) => seconds(a) - seconds(b))) {
    if (steps.length === 0 || seconds(file) > left) {
      steps.push([]);
      left = secondsOfStep;
    }
    steps.at(-1).push(file);
    left -= seconds(file);
  }
  return round === 1 ? steps.slice(0, 1) : steps.slice(1);
}

/** How long a file takes without a fault; a whole step where nobody saw it run. */
const usualSeconds = (file, secondsOf) => secondsOf[file] ?? secondsOfStep;

/** Judges faults in copies of the source. */
export class Judge {
  #testsOf;
  #secondsOf;
  #passesWithout = new Map();

  /** `testsOf` gives the test files that reach a fault, the nearest first; `secondsOf` how long each file takes. */
  constructor(testsOf, secondsOf) {
    this.#testsOf = testsOf;
    this.#secondsOf = secondsOf;
  }

  /** The test that a fault fails in a round, or null. */
  async killOf(fault, round, workplace) {
    const steps = stepsOf(this.#testsOf(fault), round, this.#secondsOf);
    for (const step of steps) {
      const by = await this.#killOfStep(fault, step, workplace);
      if (by !== null) return by;
    }
    return null;
  }

  async #killOfStep(fault, files, workplace) {
    const restore = workplace.edit(fault.path, fault);
    let result;
    try {
      if (files.some(startsPrograms)) buildIn(workplace.folder);
      // Tests that take four times as long as without the fault, and two minutes more, do not end, which is a failure.
      const usual = files.reduce((total, file) => total + usualSeconds(file, this.#secondsOf), 0);
      const timeoutMs = 2 * minute + 4 * 1000 * usual;
      result = await runTests(workplace.folder, files, { bail: true, timeoutMs, inOrder: true });
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
        if (startsPrograms(file)) buildIn(workplace.folder);
        const { outcome } = await runTests(workplace.folder, [file], { bail: true, timeoutMs: 15 * minute });
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
