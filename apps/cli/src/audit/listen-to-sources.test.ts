import { LetheError } from "@lethe/core";
import type { Engine } from "@lethe/query";
import { expect, it, vi } from "vitest";
import { listenToSources } from "./listen-to-sources.ts";

const fault = (
  code: "engine.not-imported" | "policy.changed" | "engine.schema",
  message: string,
): LetheError =>
  new LetheError(code, message, { fix: "lethe import visits.csv", fields: { table: "visits" } });
function engineWith(error: unknown): Engine {
  return {
    dialect: "duckdb",
    storage: () => (error === null ? Promise.resolve("stored" as never) : Promise.reject(error)),
    run: vi.fn().mockResolvedValue("ran"),
    rows: vi.fn().mockResolvedValue("read"),
    published: vi.fn().mockResolvedValue("shown"),
    close: vi.fn().mockResolvedValue(undefined),
  };
}
/** The error that is told of two engines after both were asked, the own one first. */
async function toldOf(own: unknown, neighbours: unknown, sharesState = false): Promise<unknown> {
  const { engines, error } = listenToSources([engineWith(own), engineWith(neighbours)], sharesState);
  expect(error()).toBeNull();
  for (const [at, thrown] of [own, neighbours].entries())
    if (thrown !== null) await expect(engines[at]!.storage("visits")).rejects.toBe(thrown);
  return error();
}

it("engines answer as they do, and nothing is told where nothing is wrong", async () => {
  const inner = engineWith(null);
  const { engines, error } = listenToSources([inner], false);
  expect(engines[0]!.dialect).toBe("duckdb");
  expect(await engines[0]!.storage("visits")).toBe("stored");
  expect(await engines[0]!.run("query" as never)).toBe("ran");
  expect(inner.run).toHaveBeenCalledWith("query");
  expect(await engines[0]!.rows("rows" as never)).toBe("read");
  expect(inner.rows).toHaveBeenCalledWith("rows");
  expect(await engines[0]!.published("public" as never)).toBe("shown");
  expect(inner.published).toHaveBeenCalledWith("public");
  await engines[0]!.close();
  expect(inner.close).toHaveBeenCalledTimes(1);
  expect(error()).toBeNull();
});

it("the first fault of a source is told: one's own as it is, the neighbour's as the neighbour's", async () => {
  const [own, other] = [
    fault("engine.schema", "there is no column pay"),
    fault("engine.schema", "there is no column cost"),
  ];
  expect(await toldOf(own, other)).toBe(own);
  expect(await toldOf(null, other)).toMatchObject({
    code: "engine.schema",
    message: "on the neighbour: there is no column cost",
    fix: "lethe import visits.csv",
    fields: { table: "visits" },
  });
  const bug = new Error("a bug");
  expect(await toldOf(null, bug)).toBe(bug);
});

it("a command that mends the neighbour is to be typed in its folder, and two policies of one folder are kept apart", async () => {
  for (const code of ["engine.not-imported", "policy.changed"] as const)
    expect(await toldOf(null, fault(code, "x"))).toMatchObject({
      code,
      fix: "in the folder of the neighbour's policy: lethe import visits.csv",
    });
  expect(await toldOf(null, fault("policy.changed", "x"), true)).toMatchObject({
    fix: "keep the neighbour's policy in a folder of its own, and import there",
  });
  expect(await toldOf(null, fault("engine.not-imported", "x"), true)).toMatchObject({
    fix: "in the folder of the neighbour's policy: lethe import visits.csv",
  });
});
