import { LetheError } from "@lethe/core";
import { type ExactGroup, seal } from "@lethe/core/mechanisms";
import { type Engine, readPolicy } from "@lethe/query";
import { describe, expect, test } from "vitest";
import { clock, newLedgers } from "../../../../testing/src/replay/new-ledgers.ts";
import type { Laboratory, World } from "../attacks/services/service.ts";
import { badGateways } from "../known-bad/bad-gateways.ts";
import type { ReplayedHouse } from "../replay/answers/run-script.ts";
import { answersAudit } from "./answers-audit.ts";
import { isWrong } from "./audit-row.ts";

/** Databases that answer every question by the number of rows of each sector, or as they are told. */
function laboratory(run?: Engine["run"]) {
  let open = 0;
  const opened: (readonly World[])[] = [];
  const neighbours: Laboratory["neighbours"] = async (worlds, { epsilon, delta }) => {
    open += 1;
    opened.push(worlds);
    const budget = `budget: { measure: approximate, epsilon: ${epsilon}, delta: ${delta} }\n`;
    const policy = readPolicy(`${worlds[0]!.policy}${budget}`);
    const ledgers = await newLedgers(policy);
    const houseOf = ({ tables }: World): ReplayedHouse => {
      const counts = new Map<string, bigint>();
      for (const [, sector] of tables[0]!.rows)
        counts.set(String(sector), (counts.get(String(sector)) ?? 0n) + 1n);
      const groups = [...counts].map(
        ([sector, rows]): ExactGroup => ({ key: [sector], units: rows, sums: [rows] }),
      );
      return {
        policy,
        clock,
        openLedger: () => ledgers.open(),
        engine: {
          dialect: "duckdb",
          storage: async (table) => ({ relation: [table], layout: "raw" }),
          run: run ?? (async () => seal({ groups })),
          rows: () => Promise.reject(new Error("no rows are read here")),
          published: () => Promise.reject(new Error("no public rows are read here")),
          close: async () => undefined,
        },
      };
    };
    return {
      houses: worlds.map(houseOf) as [ReplayedHouse, ...ReplayedHouse[]],
      async close() {
        open -= 1;
        await ledgers.remove();
      },
    };
  };
  return { laboratory: { neighbours } as unknown as Laboratory, opened, open: () => open };
}

describe("the audit of whole answers", () => {
  test("has a step for Lethe's gateway and one for each that lets a row show", () => {
    const steps = answersAudit.steps(laboratory().laboratory, 1);
    expect(steps.map(({ subject }) => subject)).toEqual(["gateway", ...badGateways.map(({ id }) => id)]);
  });
  test("finds a gateway out by its own fault, on a row more", async () => {
    const lab = laboratory();
    const step = answersAudit.steps(lab.laboratory, 1).find(({ subject }) => subject === "row-order")!;
    const row = await step.make();
    expect(row).toMatchObject({
      audit: "answers",
      subject: "row-order",
      of: "control",
      finding: "neighbour 1: another order of rows",
      measured: "differences: 1",
      interval: null,
      ceiling: 0,
      how: "1 request, 1 of them answered, on a database and its neighbours; 3 draws frozen",
    });
    expect(lab.open()).toBe(0);
    expect(lab.opened.map((worlds) => worlds.map(({ tables }) => tables[0]!.rows.length))).toEqual([
      [120, 121],
    ]);
  });
  test("says of each question of Lethe's gateway what was found, on two neighbours", async () => {
    const lab = laboratory(() => {
      throw new LetheError("engine.failed", "no", { fix: "no" });
    });
    const [gateway] = answersAudit.steps(lab.laboratory, 1);
    const row = await gateway!.make();
    expect(isWrong(row)).toBe(true);
    const found = row.finding!.split("; ");
    expect(found[0]).toBe(
      "SELECT COUNT(*), SUM(age), AVG(age), STDDEV(age) FROM people WHERE age > 20: the first database could not answer",
    );
    expect(row).toMatchObject({ subject: "gateway", of: "lethe", measured: "differences: 10" });
    expect(row.how).toMatch(/^12 requests, 0 of them answered, /);
    expect(lab.open()).toBe(0);
    expect(lab.opened.map((worlds) => worlds.map(({ tables }) => tables[0]!.rows.length))).toEqual([
      [120, 121, 123],
    ]);
  });
});
