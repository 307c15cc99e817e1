import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { testPolicy } from "../resolve/testing/test-policy.ts";
import { referencedColumns } from "./referenced-columns.ts";

const rows = async (text: string) =>
  referencedColumns(resolveQuestion(await parseQuestion(text), testPolicy));
const windows =
  "ROW_NUMBER() OVER (PARTITION BY pid ORDER BY cost) AS n, MAX(cost) OVER (PARTITION BY pid) AS most";

describe("the columns that a question reads", () => {
  it("leave out windows that nothing reads, and what these alone read", async () => {
    const none = await rows(`SELECT COUNT(*) FROM (SELECT ${windows} FROM "Visits") t`);
    expect(none).toMatchObject({ kind: "table", table: "Visits", columns: {} });
    const one = await rows(`SELECT COUNT(most) FROM (SELECT ${windows} FROM "Visits") t`);
    expect(one).toMatchObject({ kind: "windowed", of: { columns: { cost: {} } } });
    expect(Object.keys((one as { values: object }).values)).toEqual(["most"]);
  });

  it("keep the keys of groups that nothing reads, for they say which rows there are", async () => {
    const grouped = await rows(
      `SELECT COUNT(*) FROM (SELECT pid, "Ward", SUM(cost) AS total FROM "Visits" GROUP BY pid, "Ward") t`,
    );
    expect(grouped).toMatchObject({ kind: "grouped", values: {}, of: { columns: { Ward: {} } } });
    expect(Object.keys((grouped as { columns: object }).columns)).toContain("Ward");
  });
});
