import { randomUUID } from "node:crypto";
import type { Event, PrivacyLossText } from "@lethe/core";
import type { Ledger } from "@lethe/ledger";
import { afterAll, describe, expect, it } from "vitest";
import { openHouse, type TestHouse } from "../testing/open-house.ts";
import { personPolicy, visitsCsv } from "../testing/visits.ts";
import type { Procedure, ProcedurePlan, ProcedureRequest } from "./procedure.ts";
import { priceOfEvent, runProcedure } from "./run-procedure.ts";

const closing: TestHouse[] = [];
afterAll(async () => {
  for (const house of closing) await house.close();
});

async function opened(): Promise<TestHouse> {
  const house = await openHouse(personPolicy("{ measure: pure, epsilon: 100 }"), visitsCsv);
  closing.push(house);
  return house;
}

const event: Event = { kind: "laplace", version: 1, scale: "1/2", l1: "1" };
const price = priceOfEvent(event, { measure: "pure", delta: "0" });
const request = (changed: Partial<ProcedureRequest> = {}): ProcedureRequest => ({
  ...{ principal: "owner", requestId: "p", price },
  ...changed,
});

interface Drawn {
  readonly drawn: string;
}

/** A procedure whose result is another in every run, and the results that its runs made. */
function drawing(changed: Partial<Procedure<Drawn>> = {}) {
  const made: string[] = [];
  const procedure: Procedure<Drawn> = {
    ...{ kind: "test", title: "a draw", plan: { event }, tables: ["people"] },
    async run() {
      const drawn = randomUUID();
      made.push(drawn);
      return { drawn };
    },
    ...changed,
  };
  return { made, procedure };
}

const charges = async (house: TestHouse): Promise<readonly (readonly [string, string])[]> =>
  (await house.report()).charges.map(({ requestId, state }) => [requestId, state]);

describe("a procedure", () => {
  it("is paid before it runs, and leaves once it is durable", async () => {
    const people = await opened();
    const seen: unknown[] = [];
    const { made, procedure } = drawing();
    const watched: Procedure<Drawn> = {
      ...procedure,
      prepare: async () => void seen.push(await charges(people)),
      async run(paid, draws) {
        seen.push(await charges(people), (await people.house.ledger.settled("p", "owner")) === null);
        return procedure.run(paid, draws);
      },
    };
    const release = await runProcedure(watched, request(), people.house);
    expect(seen).toEqual([[], [["p", "reserved"]], true]);
    expect(release.result).toEqual({ drawn: made[0] });
    expect((await people.house.ledger.settled("p", "owner"))?.release).toBe(JSON.stringify(release));
    expect(await charges(people)).toEqual([["p", "settled"]]);
  });

  it("asked again under its id is the same bytes, for nothing, and does not run; under another id it is another, paid anew", async () => {
    const people = await opened();
    const { made, procedure } = drawing();
    const first = await runProcedure(procedure, request(), people.house);
    expect(JSON.stringify(await runProcedure(procedure, request(), people.house))).toBe(
      JSON.stringify(first),
    );
    expect(made.length).toBe(1);
    const second = await runProcedure(procedure, request({ requestId: "q" }), people.house);
    expect(second.result).not.toEqual(first.result);
    expect(await charges(people)).toEqual([
      ["p", "settled"],
      ["q", "settled"],
    ]);
  });

  it("of another plan, title, kind or price under that id is refused, runs nothing and tells nothing", async () => {
    const people = await opened();
    const { made, procedure } = drawing();
    const { result } = await runProcedure(procedure, request(), people.house);
    const plan: ProcedurePlan & { readonly more: number } = { event, more: 1 };
    const dearer: PrivacyLossText = { measure: "pure", epsilon: "3" };
    for (const [changed, asked] of [
      [{ plan }, {}],
      [{ title: "another draw" }, {}],
      [{ kind: "other" }, {}],
      [{}, { price: dearer }],
    ] as const) {
      const refused = runProcedure({ ...procedure, ...changed }, request(asked), people.house);
      await expect(refused).rejects.toMatchObject({ code: "ledger.request" });
      await expect(refused).rejects.not.toThrow(result.drawn);
    }
    await expect(
      people.ask("SELECT COUNT(*) FROM visits", { requestId: "p", epsilon: "2" }),
    ).rejects.toMatchObject({ code: "ledger.request" });
    expect(made.length).toBe(1);
    expect(await charges(people)).toEqual([["p", "settled"]]);
  });

  it("asked many times at once is paid once, and one of its draws alone leaves", async () => {
    const people = await opened();
    const { made, procedure } = drawing();
    const releases = await Promise.all(
      Array.from({ length: 8 }, () => runProcedure(procedure, request(), people.house)),
    );
    expect(new Set(releases.map((release) => JSON.stringify(release))).size).toBe(1);
    expect(made).toContain(releases[0]?.result.drawn);
    expect(made.length).toBeGreaterThan(1);
    expect(await charges(people)).toEqual([["p", "settled"]]);
  });

  it("that dies keeps its charge, says nothing of the rows, and runs again under it", async () => {
    const people = await opened();
    const { made, procedure } = drawing();
    const faults: readonly Procedure<unknown>["run"][] = [
      () => Promise.reject(new Error("cannot cast 'city4945'")),
      async () => {
        const round: { city4945?: unknown } = {};
        round.city4945 = round;
        return round;
      },
    ];
    for (const run of faults) {
      const failed = runProcedure({ ...procedure, run }, request(), people.house);
      await expect(failed).rejects.toMatchObject({ code: "engine.failed" });
      await expect(failed).rejects.not.toThrow(/4945/);
      expect(await charges(people)).toEqual([["p", "failed"]]);
    }
    const { result } = await runProcedure(procedure, request(), people.house);
    expect(result).toEqual({ drawn: made[0] });
    expect(await charges(people)).toEqual([["p", "settled"]]);
  });

  it("whose result was not made durable shows none of it: the next run draws its own, under the same charge", async () => {
    const people = await opened();
    const { made, procedure } = drawing();
    let settles = 0;
    const failing: Ledger = Object.create(people.house.ledger, {
      settle: {
        value: (...given: Parameters<Ledger["settle"]>) => {
          settles += 1;
          if (settles === 1) return Promise.reject(new Error("the disk is full"));
          return people.house.ledger.settle(...given);
        },
      },
    });
    for (const method of ["reserve", "settled", "fail", "balance", "sign"] as const)
      Object.defineProperty(failing, method, {
        value: people.house.ledger[method].bind(people.house.ledger as never),
      });
    const house = { ...people.house, ledger: failing };
    await expect(runProcedure(procedure, request(), house)).rejects.toThrow("the disk is full");
    const { result } = await runProcedure(procedure, request(), house);
    expect(made.length).toBe(2);
    expect(result).toEqual({ drawn: made[1] });
    expect(await charges(people)).toEqual([["p", "settled"]]);
  });

  it("that cannot be read, or whose price is below its record's, is refused before it is charged", async () => {
    const people = await opened();
    const { made, procedure } = drawing();
    const unread = { ...procedure, prepare: () => Promise.reject(new Error("the table is not there")) };
    await expect(runProcedure(unread, request(), people.house)).rejects.toThrow("the table is not there");
    const cheap: PrivacyLossText = { measure: "pure", epsilon: "199/100" };
    await expect(runProcedure(procedure, request({ price: cheap }), people.house)).rejects.toMatchObject({
      code: "internal.invariant",
    });
    expect([made.length, await charges(people)]).toEqual([0, []]);
  });

  it("certifies the plan that was charged, whatever its run does to its own", async () => {
    const people = await opened();
    const plan = { event, steps: [1, 2] };
    const { procedure } = drawing({ plan });
    const release = await runProcedure(
      {
        ...procedure,
        async run(paid, draws) {
          plan.steps.push(3);
          return procedure.run(paid, draws);
        },
      },
      request(),
      people.house,
    );
    expect(release.certificate.procedure.plan).toEqual({ event, steps: [1, 2] });
    expect(release.certificate.charge).toEqual({ measure: "pure", epsilon: "2" });
  });
});
