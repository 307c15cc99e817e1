import { describe, expect, it } from "vitest";
import {
  adjacencyOf,
  convexKinds,
  forgedConvex,
  forgedConvexes,
  genuineConvex,
} from "./testing/forgeries/convex.ts";
import {
  forgedNetwork,
  forgedNetworks,
  genuineNetwork,
  type NetworkKind,
  networkKinds,
} from "./testing/forgeries/networks.ts";
import {
  boostingPolicy,
  forgedBoosting,
  forgedBoostings,
  forgedTableReleases,
  forgedTables,
  genuineBoosting,
  genuineTables,
  toldOfProcedure,
} from "./testing/forgeries/procedures.ts";
import { signer } from "./testing/people.ts";
import { verifyRelease } from "./verify-release.ts";

describe("the release of a boosting", () => {
  it.each(["add-or-remove-one", "replace-one"] as const)(
    "holds where it is genuine, under %s",
    async (adjacency) => {
      const checks = await toldOfProcedure(genuineBoosting(adjacency), boostingPolicy(adjacency));
      const amiss = checks.filter(({ outcome }) => outcome !== "passed");
      // A plain sum is no finer than the composition.
      expect(amiss.map(({ says }) => says).filter((says) => !says.includes("plain sum"))).toEqual([]);
      expect(checks.length).toBeGreaterThanOrEqual(11);
    },
  );

  it("leaves open what needs the policy and the key", async () => {
    const { checks, cannotShow } = await verifyRelease(JSON.stringify(genuineBoosting()));
    const open = checks.filter(({ outcome }) => outcome === "not-made").map(({ name }) => name);
    expect(open).toEqual(expect.arrayContaining(["signer", "policy", "columns"]));
    expect(cannotShow.join()).toContain("that the noise was drawn as stated");
  });

  it.each(forgedBoostings)("is refused, or left open, where it is forged: %s", async (says, forge) => {
    const checks = await toldOfProcedure(forgedBoosting(forge));
    const told = checks.filter((each) => each.says.includes(says));
    expect(told.length, JSON.stringify(checks, null, 1)).toBeGreaterThan(0);
    for (const { outcome } of told) expect(outcome).not.toBe("passed");
  });

  it("is refused where it was changed after it was signed", async () => {
    const release = genuineBoosting();
    const changed = { ...release, result: { ...release.result, intercept: 7 } };
    const told = await toldOfProcedure(changed);
    expect(told.filter(({ outcome }) => outcome === "failed").map(({ says }) => says)).toEqual([
      "the result is not that whose hash the certificate holds",
    ]);
    const { certificate } = release;
    const other = { ...release, certificate: { ...certificate, principal: "somebody" } };
    expect((await toldOfProcedure(other)).some(({ says }) => says.startsWith("the signature is not"))).toBe(
      true,
    );
  });

  it.each([
    ['"rounds":4', '"rounds":4,"rounds":8'],
    ['"rounds":4', '"rounds":4,"more":8'],
    ['"rounds":4', '"rounds":0'],
    ['"clip":1', '"clip":"1"'],
    ['"intercept":-0.5', '"intercept":null'],
    ['"kind":"boosting","plan"', '"kind":"Boosting!","plan"'],
    ['"adjacency":"add-or-remove-one"', '"adjacency":"none"'],
  ])("is no release with %s as %s", async (from, to) => {
    const text = JSON.stringify(genuineBoosting());
    expect(text).toContain(from);
    await expect(
      verifyRelease(text.replace(from, to), { publicKeyPem: signer.publicKey }),
    ).rejects.toMatchObject({ code: "release.invalid" });
  });
});

describe("the release of a synthetic table", () => {
  it.each(["add-or-remove-one", "replace-one"] as const)(
    "holds where it is genuine, under %s",
    async (adjacency) => {
      const checks = await toldOfProcedure(genuineTables(adjacency), boostingPolicy(adjacency));
      const amiss = checks.filter(({ outcome }) => outcome !== "passed").map(({ says }) => says);
      expect(amiss.filter((says) => !says.includes("plain sum"))).toEqual([]);
    },
  );

  it.each(forgedTableReleases)("is refused where it is forged: %s", async (says, forge) => {
    const checks = await toldOfProcedure(forgedTables(forge));
    const told = checks.filter((each) => each.says.includes(says));
    expect(
      told.map(({ outcome }) => outcome),
      JSON.stringify(checks, null, 1),
    ).toEqual(["failed"]);
  });

  it.each([
    ['"rowsPerUnit":"1"', '"rowsPerUnit":1'],
    ['"tables":3', '"tables":3,"more":1'],
    ['"variances":2500.5', '"variances":0'],
    ['"variances":2500.5', '"variances":[-1]'],
    ['"variance":1500.5', '"variance":0'],
    ['"variance":1500.5', '"variance":[1500.5]'],
    ['"method":"mst"', '"method":"guess"'],
  ])("is no release with %s as %s", async (from, to) => {
    const text = JSON.stringify(genuineTables());
    expect(text).toContain(from);
    await expect(verifyRelease(text.replace(from, to))).rejects.toMatchObject({ code: "release.invalid" });
  });
});

describe("the release of a convex model", () => {
  it.each(convexKinds)("holds where it is genuine: %s", async (kind) => {
    const checks = await toldOfProcedure(genuineConvex(kind), boostingPolicy(adjacencyOf(kind)));
    const amiss = checks.filter(({ outcome }) => outcome !== "passed").map(({ says }) => says);
    expect(amiss.filter((says) => !says.includes("plain sum"))).toEqual([]);
    expect(checks.some(({ says }) => says.startsWith("the event is that of"))).toBe(true);
  });

  it.each(forgedConvexes)("is refused where it is forged: %s (%s)", async (says, kind, forge) => {
    const checks = await toldOfProcedure(forgedConvex(kind, forge), boostingPolicy(adjacencyOf(kind)));
    const told = checks.filter((each) => each.says.includes(says));
    expect(
      told.map(({ outcome }) => outcome),
      JSON.stringify(checks, null, 1),
    ).toEqual(["failed"]);
  });

  it.each([
    ['"radius":2', '"radius":0'],
    ['"name":"logistic"', '"name":"sigmoid"'],
    ['"algorithm":"noisy-descent@1"', '"algorithm":"descent"'],
    ['"stepSize":0.1', '"stepSize":0.1,"more":1'],
    ['"delta":"1/1000000"},"steps"', '"delta":"-1"},"steps"'],
    ['"weights":[-0.3', '"weights":[null'],
    ['"tuning":null', '"tuning":{}'],
  ])("is no release with %s as %s", async (from, to) => {
    const text = JSON.stringify(genuineConvex());
    expect(text).toContain(from);
    await expect(verifyRelease(text.replace(from, to))).rejects.toMatchObject({ code: "release.invalid" });
  });
});

describe("the release of a network", () => {
  it.each(Object.keys(networkKinds) as NetworkKind[])("holds where it is genuine: %s", async (kind) => {
    const release = genuineNetwork(kind);
    const checks = await toldOfProcedure(release, boostingPolicy(networkKinds[kind].adjacency));
    const amiss = checks.filter(({ outcome }) => outcome !== "passed").map(({ says }) => says);
    expect(amiss.filter((says) => !says.includes("plain sum"))).toEqual([]);
    expect(checks.some(({ says }) => says.startsWith("the event is 20 steps by"))).toBe(true);
  });

  it.each(forgedNetworks)("is refused where it is forged: %s (%s)", async (says, kind, forge) => {
    const checks = await toldOfProcedure(forgedNetwork(kind, forge));
    const told = checks.filter((each) => each.says.includes(says));
    expect(
      told.map(({ outcome }) => outcome),
      JSON.stringify(checks, null, 1),
    ).toEqual(["failed"]);
  });

  it.each([
    ['"seed":1', '"seed":-1'],
    ['"kind":"poisson"', '"kind":"shuffle"'],
    ['"countWeight":0', '"countWeight":0,"more":1'],
    ['"layer":"tanh"', '"layer":"batch-norm"'],
    ['"weights":[0', '"weights":[null'],
  ])("is no release with %s as %s", async (from, to) => {
    const text = JSON.stringify(genuineNetwork());
    expect(text).toContain(from);
    await expect(verifyRelease(text.replace(from, to))).rejects.toMatchObject({ code: "release.invalid" });
  });
});
