import { describe, expect, test } from "vitest";
import { quickRequest } from "../audits/audit.ts";
import { isWrong } from "../audits/audit-row.ts";
import { oneRunAudit } from "../audits/one-run-audit.ts";
import { trainings } from "./registry.ts";

describe.each(oneRunAudit.steps({ ...quickRequest, seed: 5 }))("one run of $subject", ({ subject, make }) => {
  test("is as its registry line says", async () => {
    const row = await make();
    expect(isWrong(row), JSON.stringify(row)).toBe(false);
    expect(row.of).toBe(trainings.find(({ id }) => id === subject)!.source === null ? "lethe" : "control");
    // What is right is not only not flagged: it is seen to leave a trace.
    expect(row.interval![0]).toBeGreaterThan(0.1);
  });
});
