import { boundEnds, cellTests, chooseBounds, type Plan } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { learnedBoundsHold } from "./checks/learned.ts";
import { eventFollows } from "./checks/noise.ts";
import { questionPlansTheSame } from "./checks/replan.ts";
import { deriveBounds, deriveStageSensitivity } from "./derive/learned-bounds.ts";
import { planOf, policy, policyOf } from "./testing/learned-plan.ts";

describe("learned bounds in a certificate", () => {
  it("are derived here by other code, and agree with those of the service", () => {
    const noises = [
      { mechanism: "discrete-laplace@1", scale: "7" },
      { mechanism: "rounded-gaussian@1", sigma: "12" },
    ] as const;
    const domains = [null, [0, 50], [-3, 8.5], [-20, -1], [4, 9]] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...domains),
        fc.constantFrom(...noises),
        fc.infiniteStream(fc.integer({ min: -90, max: 200 })),
        (bounds, noise, stream) => {
          const ends = boundEnds({ type: "number", bounds, integer: false, nullable: true, values: null })!;
          const counts = cellTests(ends).map(() => stream.next().value);
          counts.push(stream.next().value);
          const stage = { ends, counts, noise } as unknown as Parameters<typeof deriveBounds>[0];
          expect(deriveBounds(stage)).toEqual(chooseBounds(ends, counts, noise));
        },
      ),
    );
  });

  it.each([
    ["groups-after-filter", "add-or-remove-one", 1n, 1n],
    ["groups-after-filter", "replace-one", 1n, 2n],
    ["rows-before-filter", "add-or-remove-one", 6n, 1n],
    ["rows-before-filter", "replace-one", 6n, 2n],
  ])("have the sensitivity derived here: %s, %s", async (bound, adjacency, rows, units) => {
    const plan = await planOf(policyOf(bound, adjacency));
    const derived = deriveStageSensitivity(plan);
    expect(derived).toEqual({ l1: units * rows * 2n ** 20n, l2Squared: units * (rows * 2n ** 20n) ** 2n });
    for (const { l1, l2Squared } of plan.learned!.stages)
      expect({ l1: BigInt(l1), l2Squared: BigInt(l2Squared) }).toEqual(derived);
    expect(learnedBoundsHold(plan).outcome).toBe("passed");
    expect(eventFollows(plan).outcome).toBe("passed");
  });

  it("pass the check of the question planned again, and no other bounds do", async () => {
    const plan = await planOf();
    expect(await questionPlansTheSame(plan, policy)).toMatchObject({ outcome: "passed" });
    const [first, ...others] = plan.learned!.stages;
    const forged = (stage: object): Plan => ({
      ...plan,
      learned: { ...plan.learned!, stages: [{ ...first!, ...stage }, ...others] },
    });
    const fewer = { ends: first!.ends.slice(1), counts: first!.counts!.slice(1) };
    for (const stage of [fewer, { bounds: [0, 1] }, { argument: others[0]!.argument }])
      expect((await questionPlansTheSame(forged(stage), policy)).outcome, JSON.stringify(stage)).toBe(
        "failed",
      );
    expect(learnedBoundsHold(forged({ bounds: [0, 1] })).outcome).toBe("failed");
    expect(learnedBoundsHold(forged({ counts: first!.counts!.map(() => 0) })).outcome).toBe("failed");
    expect(learnedBoundsHold(forged({ l1: "1", l2Squared: "1" })).outcome).toBe("failed");
    const says = (stage: object): string => learnedBoundsHold(forged(stage)).says;
    expect(says({ noise: { mechanism: "constant@1" } })).toContain("counted without noise");
    const [a, b, ...more] = first!.ends;
    expect(says({ ends: [b, a, ...more] })).toContain("do not increase");
  });

  it("cannot make noise cheaper than it was charged for", async () => {
    const plan = await planOf();
    const { learned, measurements } = plan;
    const quieter = measurements.map((each) => ({
      ...each,
      noise: { mechanism: "rounded-gaussian@1", sigma: "1" } as const,
    }));
    expect(learnedBoundsHold({ ...plan, measurements: quieter }).outcome).toBe("failed");
    expect(learnedBoundsHold({ ...plan, measurements: measurements.slice(1) }).outcome).toBe("failed");
    const small = learned!.nominal.map((each) => ({ ...each, l1: "1", l2Squared: "1" }));
    expect(learnedBoundsHold({ ...plan, learned: { ...learned!, nominal: small } }).outcome).toBe("failed");
    expect(eventFollows({ ...plan, learned: { ...learned!, nominal: small } }).outcome).toBe("failed");
  });
});
