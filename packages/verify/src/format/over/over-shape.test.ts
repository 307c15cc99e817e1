import { describe, expect, it } from "vitest";
import type { Draft } from "../../testing/forgeries/forgery.ts";
import { counted } from "../../testing/forgeries/forgery.ts";
import { deepest, forgedOver, overCounts } from "../../testing/forgeries/over.ts";
import { sample } from "../../testing/people.ts";
import { verifyRelease } from "../../verify-release.ts";
import { readRelease } from "../release-shape.ts";

const read = (draft: Draft): unknown => readRelease(JSON.stringify(draft)).release;

describe("a release of a SELECT over an answer", () => {
  it("is read as it stands", async () => {
    const { release } = await overCounts();
    expect(readRelease(JSON.stringify(release)).release).toEqual(release);
  });

  it("may hold a hundred relations within each other", async () => {
    const draft = structuredClone((await overCounts()).release) as Draft;
    deepest(draft);
    expect(read(draft)).toEqual(draft);
  });

  it.each(forgedOver)("is refused where something must be %s (case %#)", async (says, change) => {
    const draft = structuredClone((await overCounts()).release) as Draft;
    change(draft);
    await expect(verifyRelease(JSON.stringify(draft))).rejects.toMatchObject({
      code: "release.invalid",
      message: expect.stringContaining(`must be ${says}`),
    });
  });

  it("shows nothing where a note says that it would be too much", async () => {
    const draft = structuredClone((await overCounts()).release) as Draft;
    Reflect.deleteProperty(draft, "over");
    draft.notes.push("the SELECT over the answer makes more than 100000 rows, so they are not shown");
    expect(read(draft)).toEqual(draft);
    const { checks } = await verifyRelease(JSON.stringify(draft));
    expect(checks.find(({ name }) => name === "over")).toMatchObject({ outcome: "not-made" });
    expect(checks.find(({ name }) => name === "notes")).toMatchObject({ outcome: "passed" });
  });
});

it("a plan of version 1 selects nothing over its answer", async () => {
  const { release } = await sample(counted);
  const draft = { ...release, certificate: { ...release.certificate, plan: { version: 1, over: null } } };
  expect(() => readRelease(JSON.stringify(draft))).toThrow("over must be not there in version 1");
});
