import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Runs a program and kills it with SIGKILL after `delayMs`; counted from the first output if `afterOutput`, else from
 * its start; never if `delayMs` is null. Gives what it printed and whether the kill came before its end.
 */
export function killedProcess(command, args, { delayMs, afterOutput = false, cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const out = [];
    const err = [];
    let waiting = false;
    const kill = () => {
      if (waiting || delayMs === null) return;
      waiting = true;
      pause(delayMs).then(() => child.kill("SIGKILL"));
    };
    child.stdout.on("data", (chunk) => {
      out.push(chunk);
      kill();
    });
    child.stderr.on("data", (chunk) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve({
        stdout: Buffer.concat(out).toString("utf8"),
        stderr: Buffer.concat(err).toString("utf8"),
        code,
        killed: signal === "SIGKILL",
      });
    });
    if (!afterOutput) kill();
  });
}
