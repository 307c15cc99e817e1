// Fetches the clients of PostgreSQL that tests run against the wire and npm does not bring: those in Python, by pip and at exact versions, and pgjdbc, by Maven. It prints one line NAME=path for each that is
// there, and never fails: a client that cannot be had is named on standard error, and its tests are skipped.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fetchIntoCache } from "./fetch-into-cache.mjs";

/** What is fetched is kept until `npm ci` removes it; another folder may be given, for a test. */
const folder =
  process.argv[2] ?? fileURLToPath(new URL("../node_modules/.cache/lethe-wire-clients", import.meta.url));
/** A client that takes longer to come is given up, in milliseconds. */
const limit = 110_000;

const requirements = fileURLToPath(
  new URL("../apps/server/src/wire/testing/clients/requirements.txt", import.meta.url),
);
const imports =
  "import adbc_driver_postgresql.dbapi, asyncpg, pandas, psycopg, psycopg2, pyarrow, sqlalchemy";

const pgjdbc = {
  artifact: "org.postgresql:postgresql:42.7.14",
  file: "postgresql-42.7.14.jar",
  sha256: "73914527305a40cce504b0d3d90b23caf565136912d607ae8ae7c5895512332c",
};

const run = (name, ...words) => promisify(execFile)(name, words, { timeout: limit });
const sha256 = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");

await fetchIntoCache(folder, [
  {
    variable: "LETHE_WIRE_PYTHON",
    path: join(folder, `python-${sha256(requirements).slice(0, 12)}`),
    entry: "bin/python",
    works: (python) => existsSync(python) && imported(python),
    fetch: makeEnvironment,
  },
  {
    variable: "LETHE_WIRE_PGJDBC",
    path: join(folder, pgjdbc.file),
    works: (file) => existsSync(file) && sha256(file) === pgjdbc.sha256,
    fetch: fetchPgjdbc,
  },
]);

function imported(python) {
  try {
    execFileSync(python, ["-c", imports], { stdio: "ignore", timeout: limit });
    return true;
  } catch {
    return false;
  }
}

/** Wheels alone, and nothing that the file does not name: no code of a package runs to install it. */
async function makeEnvironment(work) {
  const made = join(work, "python");
  await run("python3", "-m", "venv", made);
  const quick = ["--quiet", "--retries=0", "--no-deps", "--only-binary=:all:", "--no-compile"];
  await run(join(made, "bin/python"), "-m", "pip", "install", ...quick, "-r", requirements);
  return made;
}

async function fetchPgjdbc(work) {
  const copy = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy";
  await run("mvn", "-q", "-B", copy, `-Dartifact=${pgjdbc.artifact}`, `-DoutputDirectory=${work}`);
  const file = join(work, pgjdbc.file);
  if (sha256(file) !== pgjdbc.sha256) throw new Error(`${pgjdbc.artifact} is not the file that is pinned`);
  return file;
}
