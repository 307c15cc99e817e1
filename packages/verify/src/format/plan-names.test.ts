import { describe, expect, it } from "vitest";
import type { Draft } from "../testing/forgeries/forgery.ts";
import { forgedNames, named } from "../testing/forgeries/names.ts";
import { sample } from "../testing/people.ts";
import { verifyRelease } from "../verify-release.ts";
import { readRelease } from "./release-shape.ts";

describe("the names in a plan", () => {
  it("are each of one thing, which the plan has", async () => {
    const { release } = await sample(named);
    const { keys, aggregates, outputs, groupings } = release.certificate.plan;
    expect(keys.parts.map(({ name }) => name)).toEqual(["city", "sector"]);
    expect(aggregates.map(({ name }) => name)).toEqual(["COUNT(*)"]);
    expect(outputs.map(({ name }) => name)).toEqual(["city", "sector", "n", "low", "made"]);
    expect(groupings).toEqual([["city", "sector"], ["city"], ["sector"], []]);
    expect(readRelease(JSON.stringify(release)).release).toEqual(release);
  });

  it.each(forgedNames)("are refused where one must be %s (case %#)", async (says, change) => {
    const { release } = await sample(named);
    const draft = structuredClone(release) as Draft;
    change(draft.certificate.plan);
    await expect(verifyRelease(JSON.stringify(draft))).rejects.toMatchObject({
      code: "release.invalid",
      message: expect.stringContaining(`must be ${says}`),
    });
  });
});
