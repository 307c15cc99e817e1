import { LetheError } from "@lethe/core";
import { seal } from "@lethe/core/mechanisms";
import { describe, expect, it } from "vitest";
import { localWorkers } from "../testing/local-workers.ts";
import { type Job, startPool } from "./pool.ts";
import type { Jobs } from "./serve-jobs.ts";

/** Jobs that end when they are told to: by the name that they were given. */
function openGates(): {
  readonly jobs: () => Promise<Jobs>;
  readonly begun: readonly string[];
  readonly end: (name: string) => void;
} {
  const begun: string[] = [];
  const gates = new Map<string, () => void>();
  return {
    begun,
    end: (name) => gates.get(name)?.(),
    jobs: async () => ({
      stamp: "here",
      run: (job) =>
        new Promise((resolve) => {
          const name = String(job);
          begun.push(name);
          gates.set(name, () => resolve(`${name} is done`));
        }),
      close: async () => undefined,
    }),
  };
}

const job = (body: unknown, readsRows = true, answer: Job["answer"] = async () => null): Job => ({
  body,
  readsRows,
  answer,
});
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const outcome = (running: Promise<unknown>): Promise<unknown> =>
  running.then(
    (value) => value,
    (error) => error.code,
  );

describe("a pool", () => {
  it("gives each worker one job, and keeps one worker from those that read rows", async () => {
    const gates = openGates();
    const pool = startPool({ start: localWorkers(gates.jobs).start, size: 3, queue: 10 });
    await pool.ready();
    const rows = ["a", "b", "c"].map((name) => pool.run(job(name)));
    await turns();
    expect(gates.begun).toEqual(["a", "b"]);
    const free = pool.run(job("free", false));
    await turns();
    expect(gates.begun).toEqual(["a", "b", "free"]);
    gates.end("free");
    expect(await free).toBe("free is done");
    await turns();
    expect(gates.begun).toHaveLength(3);
    gates.end("b");
    await turns();
    expect(gates.begun).toEqual(["a", "b", "free", "c"]);
    for (const name of ["a", "c"]) gates.end(name);
    expect(await Promise.all(rows)).toEqual(["a is done", "b is done", "c is done"]);
    await pool.close();
  });

  it("lets one worker alone do everything", async () => {
    const gates = openGates();
    const pool = startPool({ start: localWorkers(gates.jobs).start, size: 1, queue: 10 });
    const running = pool.run(job("a"));
    await turns();
    gates.end("a");
    expect(await running).toBe("a is done");
    await pool.close();
  });

  it("refuses what is more than may wait, and all once it is closing; those that wait are done", async () => {
    const gates = openGates();
    const pool = startPool({ start: localWorkers(gates.jobs).start, size: 1, queue: 2 });
    await pool.ready();
    const running = [pool.run(job("a"))];
    await turns();
    running.push(pool.run(job("b")), pool.run(job("c")));
    await expect(pool.run(job("d"))).rejects.toMatchObject({ code: "serve.busy" });
    const closed = pool.close();
    await expect(pool.run(job("e"))).rejects.toMatchObject({ code: "serve.busy", message: /stopping/ });
    for (const name of ["a", "b", "c"]) {
      await turns();
      gates.end(name);
    }
    expect(await Promise.all(running)).toEqual(["a is done", "b is done", "c is done"]);
    await closed;
  });

  it("replaces a worker that dies, and refuses the one job that it had", async () => {
    const gates = openGates();
    const workers = localWorkers(gates.jobs);
    const pool = startPool({ start: workers.start, size: 2, queue: 10 });
    await pool.ready();
    const running = outcome(pool.run(job("a")));
    const waiting = pool.run(job("b"));
    await turns();
    workers.kill(0);
    expect(await running).toBe("serve.worker");
    await turns();
    expect(workers.started).toBe(3);
    gates.end("b");
    expect(await waiting).toBe("b is done");
    await pool.close();
  });

  it("that closes while workers start waits until each is ready, and ends none before", async () => {
    const begins: (() => void)[] = [];
    let closed = 0;
    const workers = localWorkers(async () => {
      await new Promise<void>((begin) => void begins.push(begin));
      const close = async (): Promise<void> => {
        closed += 1;
      };
      return { stamp: "", run: async () => null, close };
    });
    const pool = startPool({ start: workers.start, size: 3, queue: 1 });
    await turns();
    begins[0]?.();
    await pool.ready();
    await turns();
    expect([workers.started, begins.length]).toEqual([3, 3]);
    let isClosed = false;
    const closing = pool.close().then(() => {
      isClosed = true;
    });
    await turns();
    expect([closed, isClosed]).toEqual([1, false]);
    for (const begin of begins.slice(1)) begin();
    await closing;
    expect(closed).toBe(3);
  });

  it("tells of workers that cannot begin, and makes no storm of them", async () => {
    const workers = localWorkers(async () => {
      throw new Error("no data");
    });
    const pool = startPool({ start: workers.start, size: 2, queue: 10 });
    await expect(pool.ready()).rejects.toMatchObject({ code: "serve.worker" });
    await turns();
    expect(workers.started).toBe(1);
    expect(await outcome(pool.run(job("a")))).toBe("serve.worker");
    await pool.close();
    expect(workers.started).toBe(2);
  });

  it("answers what a job asks, and hands coded refusals on", async () => {
    const pool = startPool({
      start: localWorkers(async (call) => ({
        stamp: "",
        run: async (asked) => ({ heard: await call(asked) }),
        close: async () => undefined,
      })).start,
      size: 1,
      queue: 1,
    });
    const ask = (body: unknown): Promise<unknown> => pool.run(job(body, false, async (call) => [call, call]));
    expect(await ask({ a: 1 })).toEqual({ heard: [{ a: 1 }, { a: 1 }] });
    const refusal = new LetheError("ledger.budget", "too much", {
      fix: "ask less",
      fields: { left: "1/2" },
      offset: 3,
    });
    const refused = pool.run(job("", false, () => Promise.reject(refusal)));
    await expect(refused).rejects.toMatchObject({
      code: "ledger.budget",
      message: "too much",
      fix: "ask less",
      fields: { left: "1/2" },
      offset: 3,
    });
    await pool.close();
  });

  it("lets nothing sealed cross, and no word of an error that nobody expected", async () => {
    const secret = "salary-81234";
    const workers = localWorkers(async () => ({
      stamp: "",
      run: async (asked) => {
        if (asked === "throw") throw new Error(secret);
        return { rows: seal(secret) };
      },
      close: async () => undefined,
    }));
    const pool = startPool({ start: workers.start, size: 1, queue: 2 });
    for (const body of ["throw", "give"]) {
      const error = await pool.run(job(body)).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "internal.invariant" });
      expect(JSON.stringify(error)).not.toContain(secret);
    }
    expect(workers.unexpected).toHaveLength(2);
    await pool.close();
  });

  it.each([0, 1.5, Number.NaN])("has no size of %s", (size) => {
    expect(() => startPool({ start: localWorkers(openGates().jobs).start, size, queue: 1 })).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});
