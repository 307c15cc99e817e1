import { describe, expect, it } from "vitest";
import { forgedModels, toldOfModels } from "./testing/forgeries/models.ts";
import { signer } from "./testing/people.ts";
import { jointFile, kMeansFile, modelsPolicy, plainFile } from "./testing/trained-models.ts";
import { verifyModels } from "./verify-models.ts";

const described = ["descriptions", "described-columns", "described-sums"];

describe("a file of models", () => {
  it.each([
    ["models that share sums", jointFile],
    ["models of all rows", plainFile],
    ["a k-means", kMeansFile],
  ] as const)("holds where it is genuine: %s", async (_, make) => {
    const options = { policyText: modelsPolicy(), publicKeyPem: signer.publicKey };
    const { checks } = await verifyModels(JSON.stringify(await make()), options);
    const amiss = checks.filter(({ outcome, name }) => outcome !== "passed" && name !== "plain-price");
    expect(amiss).toEqual([]);
    expect(checks.slice(-3).map(({ name }) => name)).toEqual(described);
  });

  it("leaves its descriptions open without a policy, but for what their kinds have", async () => {
    const { checks } = await verifyModels(JSON.stringify(await jointFile()));
    expect(checks.slice(-3).map(({ outcome }) => outcome)).toEqual(["passed", "not-made", "not-made"]);
  });

  it.each(forgedModels)("is refused where it is forged: %s", async (says, forge, policy) => {
    const told = await toldOfModels(await forge(), policy);
    expect(
      told.filter((sentence) => sentence.includes(says)),
      told.join("\n"),
    ).not.toEqual([]);
  });
});
