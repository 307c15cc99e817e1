import { MessageChannel, Worker } from "node:worker_threads";
import { methods } from "./mechanism-call.ts";
import type { Ending, Runner } from "./run.ts";
import { endingOf, textOf } from "./run.ts";
import { Astray, type CallAnswerer } from "./tape-of-calls.ts";

/** The program of the other thread: it loads the module, and asks this thread for every answer, waiting asleep. */
const program = `
const { parentPort, workerData, receiveMessageOnPort } = require("node:worker_threads");
const { url, name, data, methods, port, bell, skew } = workerData;
// The handle is the module's only way to the recording, and its result the only one to its end.
for (const each of Object.keys(workerData)) delete workerData[each];
const tell = parentPort.postMessage.bind(parentPort);
parentPort.postMessage = () => undefined;
// A copy for the other thread would leave out what is hidden.
const textOf = ${textOf};
const shown = (returned) => {
  try {
    textOf(returned);
    return { returned };
  } catch {
    return { ended: "opaque" };
  }
};
// Each run has a clock of its own, so that what follows the clock cannot look like a function of its data.
const Clock = Date;
const skewed = () => Clock.now() + skew;
globalThis.Date = new Proxy(Clock, {
  apply: () => new Clock(skewed()).toString(),
  construct: (_, args, target) =>
    Reflect.construct(Clock, args.length === 0 ? [skewed()] : args, target === Date ? Clock : target),
  get: (clock, member) => (member === "now" ? skewed : Reflect.get(clock, member)),
});
const sinceStart = performance.now.bind(performance);
performance.now = () => sinceStart() + skew;
const ask = (method, args) => {
  Atomics.store(bell, 0, 0);
  port.postMessage({ method, args });
  Atomics.wait(bell, 0, 0);
  const { message } = receiveMessageOnPort(port);
  if ("error" in message) throw new Error(message.error);
  return message.output;
};
const dp = Object.fromEntries(methods.map((method) => [method, (...args) => ask(method, args)]));
import(url)
  .then(async (module) =>
    typeof module[name] === "function" ? shown(await module[name](data, dp)) : { ended: "missing" })
  .catch(() => ({ ended: "threw" }))
  .then(tell);
`;

/** The clock's skew between two runs: 401 days, 5 hours, 7 minutes, 11 seconds and 13 milliseconds, so that no part of a date stays the same. */
const skewOfRun = 34_665_311_013;

/** A function of a module: its file's URL, and the name it is exported by. */
export interface FunctionAt {
  readonly url: string;
  readonly name: string;
}

/**
 * Runs a module's function in another thread, each run in a new one, and ends it at the time limit wherever it is. It sees no
 * coins, no state of earlier runs, and another date in each run. What it throws is not told: messages may hold data.
 */
export function runInWorker({ url, name }: FunctionAt, limitMs: number): Runner {
  let runs = 0;
  return (data, calls) =>
    new Promise<Ending>((resolve) => {
      runs += 1;
      const { port1: here, port2: there } = new MessageChannel();
      const bell = new Int32Array(new SharedArrayBuffer(4));
      const worker = new Worker(program, {
        eval: true,
        workerData: { url, name, data, methods, port: there, bell, skew: runs * skewOfRun },
        transferList: [there],
        stdout: true,
        stderr: true,
      });
      let astray = false;
      const end = (ending: Ending): void => {
        clearTimeout(timer);
        here.close();
        void worker.terminate();
        resolve(astray ? { ended: "hung" } : ending);
      };
      const timer = setTimeout(() => end({ ended: "hung" }), limitMs);
      here.on("message", ({ method, args }: { method: string; args: readonly unknown[] }) => {
        here.postMessage(replyTo(calls, method, args, () => (astray = true)));
        Atomics.store(bell, 0, 1);
        Atomics.notify(bell, 0);
      });
      worker.on("message", (told: Told) => end("ended" in told ? told : endingOf(told.returned)));
      worker.on("error", () => end({ ended: "threw" }));
      // Without a word: nothing is left that could ever answer.
      worker.on("exit", () => end({ ended: "hung" }));
    });
}

type Told = { readonly returned: unknown } | { readonly ended: "opaque" | "threw" | "missing" };

function replyTo(
  calls: CallAnswerer,
  method: string,
  args: readonly unknown[],
  onAstray: () => void,
): { readonly output: unknown } | { readonly error: string } {
  try {
    return { output: calls.answer(method, args) };
  } catch (error) {
    if (error instanceof Astray) onAstray();
    return { error: error instanceof Error ? error.message : "refused" };
  }
}
