import type { EventOf } from "@lethe/core";
import { expect, it } from "vitest";
import { type DpSgdFlags, dpSgdRun } from "./dp-sgd.ts";

const flags: DpSgdFlags = {
  adjacency: "add-or-remove-one",
  find: "epsilon",
  n: "60000",
  batch: "250",
  sigma: "1.10",
  epochs: "15",
};
const { n: _n, batch: _batch, ...unsampled } = flags;
const rated: DpSgdFlags = { ...unsampled, rate: "1/3" };

it("a run is its steps of Gaussian noise on Poisson samples, at the rate of a batch among its units", () => {
  const { event, details, found } = dpSgdRun(flags);
  expect(details).toBe("batch 250 of 60000, σ 1.10, 3,600 steps; Poisson samples");
  expect(found).toBeNull();
  expect(event).toMatchObject({
    kind: "repeat",
    count: "3600",
    event: { kind: "poisson-sample", rate: "1/240", event: { kind: "gaussian", sensitivity: "1" } },
  });
  const { epochs: _epochs, ...timed } = flags;
  expect(dpSgdRun({ ...timed, batch: "60000", steps: "7" }).event).toMatchObject({ count: "7" });
});

it("epochs are the whole steps in so many passes, of which there is at least one", () => {
  const stepsIn = (epochs: string): string =>
    (dpSgdRun({ ...rated, epochs }).event as EventOf<"repeat">).count;
  expect(dpSgdRun(rated).details).toBe("rate 1/3, σ 1.10, 45 steps; Poisson samples");
  expect(stepsIn("1")).toBe("3");
  expect(stepsIn("0.99")).toBe("2");
  expect(stepsIn("1/3")).toBe("1");
  expect(() => stepsIn("0.33")).toThrow(/epochs must be long enough for one step, got 0.33/);
  expect(() => stepsIn("0")).toThrow(/epochs must be > 0/);
});

it("a batch with a limit is told with it, and with the units there may be: --max-n, or else --n", () => {
  const limited = dpSgdRun({ ...flags, batchLimit: "1000" });
  expect(limited.details).toMatch(/; Poisson samples, cut to 1,000, of at most 60,000 units$/);
  const more = dpSgdRun({ ...flags, batchLimit: "1000", maxN: "70000" });
  expect(more.details).toMatch(/, cut to 1,000, of at most 70,000 units$/);
  expect(JSON.stringify(more.event)).toContain('"70000"');
  expect(JSON.stringify(limited.event)).toContain('"1000"');
  expect(JSON.stringify(dpSgdRun(flags).event)).not.toContain("1000");
});

it.each<[Partial<DpSgdFlags>, string, string]>([
  [{ rate: "0.1" }, "cli.usage", "--rate says the same as --n and --batch"],
  [{ rate: "0.1", n: undefined } as never, "cli.usage", "--rate says the same as --n and --batch"],
  [{ n: undefined } as never, "cli.usage", "DP-SGD without --rate needs --n"],
  [{ batch: undefined } as never, "cli.usage", "DP-SGD without --rate needs --batch"],
  [{ batch: "60001" }, "parameter.invalid", "batch must be above 0 and at most n = 60000, got 60001"],
  [{ sigma: undefined } as never, "cli.usage", "DP-SGD needs --sigma"],
  [{ sigma: "0" }, "parameter.invalid", "sigma must be > 0, got 0"],
  [{ steps: "5" }, "cli.usage", "--epochs says the same as --steps"],
  [{ epochs: undefined } as never, "cli.usage", "DP-SGD without --epochs needs --steps"],
  [{ maxN: "70000" }, "cli.usage", "--max-n says how many units may fill a batch, which has no limit here"],
  [{ batchLimit: "0" }, "parameter.invalid", "batch-limit must be an integer ≥ 1"],
  [{ batchLimit: "9", maxN: "0.5" }, "parameter.invalid", "max-n must be an integer ≥ 1"],
])("a run of %j is refused", (part, code, message) => {
  expect(() => dpSgdRun({ ...flags, ...part })).toThrowError(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

it("a limit of an unknown number of units is refused", () => {
  expect(() => dpSgdRun({ ...rated, batchLimit: "9" })).toThrow("a batch with a limit needs --max-n");
});
