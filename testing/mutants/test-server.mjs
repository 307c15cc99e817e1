import { fork } from "node:child_process";
import { join } from "node:path";
import { endGroup, judgementOf } from "./run-tests.mjs";

/** Runs tests in a copy of the sources by one Vitest that is kept: see kept-vitest.mjs. One run at a time. */
export class TestServer {
  #folder;
  #child = null;
  #changed = [];

  constructor(folder) {
    this.#folder = folder;
  }

  /**
   * Runs test files while `changed`, paths from the root, differ from the sources. Gives { outcome, by } as `runTests` does. Tests that do not end, or that end Vitest itself, are ended with all that they started, and the next run starts anew.
   */
  async run(files, { changed, bail, timeoutMs, named = null }) {
    this.#child ??= await this.#start();
    const child = this.#child;
    const answer = await new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ error: "the tests do not end", timedOut: true }), timeoutMs);
      const done = (said) => {
        clearTimeout(timer);
        child.off("message", done);
        child.off("exit", died);
        resolve(said);
      };
      const died = () => done({ error: "the tests end Vitest" });
      child.on("message", done);
      child.on("exit", died);
      // What the run before changed has been put back.
      child.send({ files, named, bail, changed: [...changed, ...this.#changed] });
    });
    this.#changed = changed;
    if (answer.results) return judgementOf(answer.results, "no test ran", this.#folder);
    this.stop();
    return { outcome: "broken", by: answer.error, timedOut: answer.timedOut ?? false };
  }

  stop() {
    if (this.#child) endGroup(this.#child.pid);
    this.#child = null;
  }

  async #start() {
    const child = fork(join(this.#folder, "testing/mutants/kept-vitest.mjs"), {
      cwd: this.#folder,
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    await new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", (code) => reject(new Error(`Vitest does not start: ${code}`)));
    });
    return child;
  }
}
