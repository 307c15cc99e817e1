import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * A peer in a process of its own, asked in turn with the work it is compared with, or null where bench/peers/setup was not run;
 * `environment` is where its packages lie.
 * `ask(action, arguments)` answers { seconds, value }, timed by the peer itself; it throws with the peer's own words.
 */
export function startPeer(name, environment = ".venv") {
  const python = fileURLToPath(new URL(`${environment}/bin/python`, import.meta.url));
  if (!existsSync(python)) return null;
  const script = fileURLToPath(new URL(`${name}_peer.py`, import.meta.url));
  const child = spawn(python, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = [];
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.resolve(JSON.parse(line)));
  child.on("exit", (code) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`the peer ${name} ended with ${code}`));
  });
  child.on("error", (error) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  });
  return {
    async ask(action, words = {}) {
      const answer = await new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${JSON.stringify({ do: action, ...words })}\n`);
      });
      if (answer.error) throw new Error(`${name}: ${answer.error}`);
      return answer;
    },
    stop: () => child.stdin.end(),
  };
}
