import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { doubleAt, elementAt } from "@lethe/core/numeric";
import { openExact } from "@lethe/core/tape";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGradients } from "../open-gradients.ts";
import type { UnitRows } from "../rows.ts";
import { made } from "../testing/made-rows.ts";
import { smallNetworks } from "../testing/networks.ts";
import { laneMemory, serveLane, sharedLane } from "./shared-lane.ts";

const network = elementAt(Object.values(smallNetworks), 3);
const counts = [1, 2, 0, 1, 6, ...new Array<number>(60).fill(1)];

/** The same rows in memory that threads share. */
function sharedRows({ inputs, labels, offsets }: UnitRows): UnitRows {
  const shared = (values: Float32Array): Float32Array => {
    const there = new Float32Array(new SharedArrayBuffer(values.byteLength));
    there.set(values);
    return there;
  };
  return { inputs: shared(inputs), labels: shared(labels), offsets };
}

describe("another thread", () => {
  let code = "";
  const workers: Worker[] = [];
  beforeAll(async () => {
    const program = `
      import { parentPort, workerData } from "node:worker_threads";
      import { runLane } from "./run-lane.ts";
      await runLane(workerData.memory, workerData.source, () => parentPort.postMessage("open"));
      parentPort.close();
    `;
    const built = await build({
      stdin: { contents: program, resolveDir: fileURLToPath(new URL("..", import.meta.url)), loader: "ts" },
      bundle: true,
      write: false,
      platform: "node",
      format: "esm",
      conditions: ["source"],
    });
    code = elementAt(built.outputFiles, 0).text;
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  });
  const start = (workerData: unknown): Worker => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData });
    workers.push(worker);
    return worker;
  };

  it("sums its share to the same integers, batch after batch, and ends when it is closed", async () => {
    const { rows, weights, network: checked } = made(network, counts, 4);
    const source = { network, rows: sharedRows(rows) };
    const memory = laneMemory(checked.parameters, counts.length);
    const worker = start({ memory, source });
    await once(worker, "message");
    const lane = sharedLane(memory);
    const alone = await openGradients({ network, rows });
    const both = await openGradients({ ...source, lanes: [lane] });
    for (const length of [counts.length, 1, 0, 7, counts.length]) {
      const batch = Uint32Array.from({ length }, (_, unit) => counts.length - 1 - unit);
      weights[0] = length;
      const [a, b] = [openExact(alone.sum(weights, batch, 0.3)), openExact(both.sum(weights, batch, 0.3))];
      expect(b.unclipped).toBe(a.unclipped);
      expect(b.sums.every((v, i) => v === doubleAt(a.sums, i))).toBe(true);
    }
    lane.close();
    const [status] = await once(worker, "exit");
    expect(status).toBe(0);
  });
});

it("a lane that fails says so, and its thread has the error", () => {
  const memory = laneMemory(2, 2);
  const lane = sharedLane(memory);
  lane.start(Float64Array.of(1, 2), Uint32Array.of(0, 1), 1);
  const failing = {
    sum: (): never => {
      throw new RangeError("out of memory");
    },
  };
  expect(() => serveLane(memory, failing)).toThrow("out of memory");
  expect(() => lane.finish()).toThrow(/a thread could not sum its share/);
});
