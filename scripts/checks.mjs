// Does what `npm test` does before the tests: types, lint and build, the types beside the others, since the compiler takes one core and as long as
// all of them. Each says what it has to say when it is done; the first that fails decides the status.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import makeConsole from "./console.mjs";
import makeConsoleWorker from "./console-worker.mjs";
import makeKernels from "./kernels.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const installed = (...path) => join(root, "node_modules", ...path);

function run(program, ...options) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...options], { cwd: root });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      process.stdout.write(Buffer.concat(said));
      resolve(code ?? 1);
    });
  });
}

async function inTurn(...steps) {
  for (const step of steps) {
    const code = await step();
    if (code !== 0) return code;
  }
  return 0;
}

await makeKernels();
await makeConsole();
await makeConsoleWorker();
const tsc = installed("typescript", "bin", "tsc");
const codes = await Promise.all([
  run(tsc, "-p", "tsconfig.json", "--noEmit"),
  inTurn(
    () => run(installed("@biomejs", "biome", "bin", "biome"), "check", "."),
    () => run(tsc, "-p", "packages/core/tsconfig.json", "--noEmit"),
    () => run(tsc, "-p", "apps/console/tsconfig.json", "--noEmit"),
    () => run(join(root, "scripts/build.mjs")),
  ),
]);
process.exitCode = codes.find((code) => code !== 0) ?? 0;
