import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** The versions that are fetched, and the hash of each file. */
export const pinned = JSON.parse(readFileSync(new URL("pinned.json", import.meta.url), "utf8"));

/** Where Trino and its Java are kept, outside the repository: LETHE_TRINO_HOME, or a folder of the user's cache. */
export function trinoHome() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return process.env.LETHE_TRINO_HOME || join(cache, "lethe", "trino");
}

/** The server's folder below a home; its name changes with what is pinned, so that an older one is not taken for it. */
export const serverFolder = (home) => join(home, `server-${pinned.trino}`);

/** The program `java` below a home. */
export const javaProgram = (home) => join(home, `java-${pinned.java}`, "bin", "java");

/** Whether everything lies in a home. */
export const isFetched = (home) => existsSync(serverFolder(home)) && existsSync(javaProgram(home));

/** The sha256 of a file, in hexadecimal. */
export async function sha256(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
