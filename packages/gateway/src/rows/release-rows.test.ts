import { type Event, lossFromJson } from "@lethe/core";
import { drawing, seal } from "@lethe/core/mechanisms";
import type { Charge } from "@lethe/ledger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planText } from "../resolved-question.ts";
import { openHouse, optionsOf, type TestHouse } from "../testing/open-house.ts";
import { rowPolicy, visitsCsv } from "../testing/visits.ts";
import { releaseRows } from "./release-rows.ts";

const event: Event = { kind: "constant", version: 1 };

describe("releaseRows", () => {
  let opened: TestHouse;
  beforeAll(async () => {
    opened = await openHouse(rowPolicy("{ measure: pure, epsilon: 10 }"), visitsCsv);
  });
  afterAll(() => opened.close());

  /** A real charge of so much, for whatever it may be used. */
  async function charged(requestId: string, epsilon: string): Promise<Charge> {
    const loss = lossFromJson({ measure: "pure", epsilon });
    const request = { principal: "owner", requestId, requestHash: "ab".repeat(32), loss, event, text: "" };
    const reserved = await opened.house.ledger.reserve(request);
    if (reserved.kind !== "charged") throw new Error("the request is new");
    return reserved.charge;
  }

  it("gives nothing for a charge that is smaller than the plan's price", async () => {
    const { policy, entropy } = opened.house;
    const draws = drawing(entropy);
    const plan = await planText("SELECT COUNT(*) FROM visits", optionsOf({ epsilon: "1" }), policy);
    const rows = seal({ groups: [{ key: [], units: 0n, sums: [7n] }] });
    const [enough, less] = [await charged("enough", "1"), await charged("less", "999/1000")];
    expect((await releaseRows(plan, async () => [rows], enough, draws, 0.95)).rows).toHaveLength(1);
    const unread = () => Promise.reject(new Error("rows were read"));
    await expect(releaseRows(plan, unread, less, draws, 0.95)).rejects.toThrow(/does not cover/);
  });
});
