import { forgeriesAudit, isWrong, type Laboratory } from "@lethe/audit";
import { describe, expect, it } from "vitest";
import { laboratory } from "./laboratory.ts";

describe("releases forged under the ledger's own key", () => {
  it.each(forgeriesAudit.steps(laboratory).map((step) => [step.subject, step] as const))(
    "%s: as it should be",
    async (_, step) => {
      const row = await step.make();
      expect(isWrong(row), JSON.stringify(row)).toBe(false);
      expect(row).toMatchObject({ audit: "forgeries", subject: step.subject });
    },
  );

  it("slip by a verifier that looks at hash and signature alone, and genuine ones do not pass one that refuses all", async () => {
    const judging = (wanted: (name: string) => boolean): Laboratory => ({
      ...laboratory,
      forger: async (world, account) => {
        const opened = await laboratory.forger(world, account);
        return {
          ...opened,
          failed: async (release) => (await opened.failed(release)).filter(({ name }) => wanted(name)),
        };
      },
    });
    const [genuine, ...forged] = forgeriesAudit.steps(
      judging((name) => /^(rows|signature|signer)$/.test(name)),
    );
    expect(forged.length).toBeGreaterThanOrEqual(10);
    for (const step of forged) expect(isWrong(await step.make()), step.subject).toBe(true);
    expect(isWrong(await genuine!.make())).toBe(false);
    const [strict] = forgeriesAudit.steps({
      ...laboratory,
      forger: async (world, account) => ({
        ...(await laboratory.forger(world, account)),
        failed: async () => [{ name: "groups", says: "no" }],
      }),
    });
    expect(await strict!.make()).toMatchObject({
      of: "lethe",
      finding: expect.stringContaining("groups: no"),
    });
  });
});
