import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("./power-shim.c", import.meta.url));
/** The fields of the shim's struct control, in bytes. */
const [at, torn, count, off, lying] = [0, 8, 16, 24, 32];

/** Whether the shim can be made here: Linux with a C compiler. */
export function hasCompiler() {
  return process.platform === "linux" && spawnSync("cc", ["--version"]).status === 0;
}

/** Nothing but a commit flushes what was written. */
const settings = { fsync: "on", wal_writer_delay: "10s", bgwriter_lru_maxpages: "0" };

/**
 * Starts a PostgreSQL whose power can be cut at any write or flush of any of its processes: see power-shim.c. `start` starts it with these settings and environment. Gives { server, cutAt(k, how, work),
 * stop }. cutAt begins the work, cuts the power before the k-th write or flush from then on, and gives it back while the work goes on; it gives { isCut, outcome }, the outcome being the work's.
 * `how` is "kept", where all that was written stays; "torn", where half of the k-th write does, too; "lost", where what was not flushed is gone; or "lied", where of the server's log what it flushed
 * from then on is gone, too, as on a disk that says that it has written what it has not.
 */
export async function powerSupply(start) {
  const folder = mkdtempSync(join(tmpdir(), "lethe-power-"));
  // The server's user may be another one.
  chmodSync(folder, 0o755);
  const [library, control, log] = ["power-shim.so", "control", "log"].map((name) => join(folder, name));
  const { status, stderr } = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]);
  if (status !== 0) throw new Error(`the shim was not compiled: ${stderr}`);
  for (const [path, bytes] of [
    [control, Buffer.alloc(64)],
    [log, ""],
  ]) {
    writeFileSync(path, bytes);
    chmodSync(path, 0o666);
  }
  const shared = openSync(control, "r+");
  const read = (field) => {
    const bytes = Buffer.alloc(8);
    readSync(shared, bytes, 0, 8, field);
    return Number(bytes.readBigInt64LE());
  };
  const write = (field, value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(value));
    writeSync(shared, bytes, 0, 8, field);
  };
  const server = await start(settings, {
    LD_PRELOAD: library,
    LETHE_POWER_CONTROL: control,
    LETHE_POWER_LOG: log,
  });
  const arm = (k, how) => {
    write(at, 0);
    write(count, 0);
    write(torn, how === "torn" ? 1 : 0);
    write(lying, how === "lied" ? 1 : 0);
    write(at, k);
  };
  const isOff = () => read(off) !== 0;
  return {
    server,
    async cutAt(k, how, work) {
      arm(k, how);
      let isOver = false;
      const working = work().finally(() => {
        isOver = true;
      });
      // A failure is told below.
      working.catch(() => undefined);
      while (!isOver && !isOff()) await pause(2);
      const isCut = isOff();
      write(at, 0);
      write(lying, 0);
      if (isCut) {
        await server.fail();
        if (how === "lost" || how === "lied") takeBack(readFileSync(log));
        writeFileSync(log, "");
        write(off, 0);
        await server.recover();
      }
      return { isCut, outcome: await working };
    },
    async stop() {
      await server.stop();
      closeSync(shared);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Puts back the bytes that were replaced and not flushed, the last write first. */
function takeBack(log) {
  const [writes, flushed] = [[], new Map()];
  for (let from = 0; from < log.length; ) {
    const end = log.indexOf(10, from);
    const [kind, time, inode, place, size, bytes, ...path] = log.toString("utf8", from, end).split(" ");
    from = end + 1;
    if (kind === "s") {
      flushed.set(inode, Math.max(Number(time), flushed.get(inode) ?? -1));
      continue;
    }
    const old = log.subarray(from, from + Number(bytes));
    from += old.length;
    writes.push({
      time: Number(time),
      inode,
      place: Number(place),
      size: Number(size),
      old,
      path: path.join(" "),
    });
  }
  for (const { time, inode, place, size, old, path } of writes.reverse()) {
    if (time < (flushed.get(inode) ?? -1)) continue;
    // The server that starts again would refuse a name of itself that is cut off; no process has it by then.
    if (path.endsWith("/postmaster.pid")) continue;
    // A file that is gone, or another by now, was renamed or removed since.
    if (!existsSync(path) || String(statSync(path).ino) !== inode) continue;
    const file = openSync(path, "r+");
    if (old.length > 0) writeSync(file, old, 0, old.length, place);
    if (place + old.length >= size && statSync(path).size > size) ftruncateSync(file, size);
    closeSync(file);
  }
}
