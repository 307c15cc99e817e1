import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { runTests } from "../run-tests.mjs";
import { buildIn } from "../workplace.mjs";
import { probed } from "./probes.mjs";

const hour = 3_600_000;

/**
 * Runs `files`, test files, once without any fault and with a probe where each of `faults` would be, in this process's children too. Gives
 * { testsOf, secondsOf, red }: for each fault's id the test files that reach it, for each file how long it took, and the files that did not pass.
 */
export async function reachedBy({ faults, files, workplace, root, workers }) {
  const numbered = faults.map((fault, number) => ({ ...fault, number }));
  const paths = [...new Set(faults.map(({ path }) => path))];
  const restores = paths.map((path) =>
    workplace.replace(
      path,
      probed(
        path,
        readFileSync(join(root, path), "utf8"),
        numbered.filter((fault) => fault.path === path),
      ),
    ),
  );
  const log = join(workplace.folder, "mutant-met.tsv");
  rmSync(log, { force: true });
  try {
    buildIn(workplace.folder);
    const recorder = pathToFileURL(join(workplace.folder, "testing/mutants/random/met-recorder.mjs")).href;
    const { took, red, by } = await runTests(workplace.folder, files, {
      bail: false,
      timeoutMs: hour,
      workers,
      env: { LETHE_MET: log, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import=${recorder}` },
    });
    if (took === undefined) throw new Error(`the tests do not run with probes: ${by}`);
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
    const testsOf = Object.fromEntries(faults.map(({ id }) => [id, []]));
    for (const line of new Set(lines)) {
      const [number, file] = line.split("\t");
      testsOf[faults[Number(number)].id].push(relative(workplace.folder, file));
    }
    return { testsOf, secondsOf: took, red };
  } finally {
    for (const restore of restores) restore();
  }
}
