// A process that keeps one Vitest for the copy of the sources it was started in, so that no fault pays for its start. The parent sends
// { files, named, bail, changed }: the tests to run, and the paths whose text is not what it was. It is sent the results, as run-tests.mjs judges them.
import { join } from "node:path";
import { createVitest } from "vitest/node";
import makeKernels from "../../scripts/kernels.mjs";

const root = process.cwd();
// Files run in the order in which they are listed, the nearest first, where Vitest would begin with the longest.
process.env.LETHE_TEST_ORDER = "given";
const vitest = await createVitest("test", { root, watch: false, maxWorkers: 1, reporters: [{}] });

process.on("message", async ({ files, named, bail, changed }) => {
  try {
    process.send({ results: await run(files, named, bail, changed) });
  } catch (error) {
    process.send({ error: String(error?.stack ?? error) });
  }
});
process.on("disconnect", () => process.exit());
process.send({ ready: true });

async function run(files, named, bail, changed) {
  // The kernels are made of other files.
  await makeKernels();
  for (const path of [...changed, "packages/learn/src/kernels/wasm/kernels.generated.ts"])
    vitest.invalidateFile(join(root, path));
  // Findings of earlier runs are none of this one, and do not count for the bail.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  for (const { config } of [vitest, ...vitest.projects]) config.bail = bail ? 1 : 0;
  process.env.LETHE_TEST_ORDER = files.join("\n");
  if (named) vitest.setGlobalTestNamePattern(named);
  else vitest.resetGlobalTestNamePattern();
  const { testModules } = await vitest.runTestSpecifications(await vitest.globTestSpecifications(files));
  return testModules.map((module) => ({
    name: module.moduleId,
    status: module.state(),
    message: module.errors().map(({ message }) => message)[0],
    assertionResults: [...module.children.allTests()].map((test) => {
      const { state, errors = [] } = test.result();
      return {
        fullName: test.fullName.replaceAll(" > ", " "),
        status: state,
        failureMessages: errors.map(({ stack, message }) => stack ?? message),
      };
    }),
  }));
}
