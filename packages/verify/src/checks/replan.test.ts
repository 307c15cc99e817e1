import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { sample } from "../testing/people.ts";
import { questionPlansTheSame } from "./replan.ts";

const asked = (options: string, list: string): string =>
  `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${options}) ${list}`;

describe("a question that is planned again", () => {
  it.each([
    ["public keys", "SELECT sector, COUNT(*) FROM people GROUP BY sector"],
    ["private keys", "SELECT city, COUNT(*) FROM people GROUP BY city"],
    ["no keys", "SELECT COUNT(*) FROM people"],
    [
      "public keys that the question asks for",
      asked(
        "epsilon = 0.5, group_selection_strategy = PUBLIC_GROUPS",
        "sector, COUNT(*) FROM people GROUP BY sector",
      ),
    ],
    [
      "private keys that the question asks for",
      asked(
        "epsilon = 0.5, group_selection_strategy = LAPLACE_THRESHOLD",
        "city, COUNT(*) FROM people GROUP BY city",
      ),
    ],
  ])("is the same with %s", async (_, text) => {
    const { release, policy } = await sample({ text, unit: "id" });
    expect(await questionPlansTheSame(release.certificate.plan, readPolicy(policy))).toMatchObject({
      outcome: "passed",
    });
  });

  it("is another with fewer declared keys, or with others", async () => {
    const { release, policy } = await sample({ text: "SELECT sector, COUNT(*) FROM people GROUP BY sector" });
    const { plan } = release.certificate;
    for (const declared of [[["construction"]], [["construction"], ["manufacturing"], ["mining"]]]) {
      const forged = { ...plan, keys: { ...plan.keys, program: { kind: "public", declared } as const } };
      expect(await questionPlansTheSame(forged, readPolicy(policy))).toMatchObject({
        outcome: "failed",
        says: expect.stringContaining("has other keys"),
      });
    }
  });
});
