import { readPolicy } from "@lethe/query";
import { expect, test } from "vitest";
import { auditedLedgers } from "./audited-ledgers.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables: { people: { file: people.csv, unit: row, columns: { age: { type: integer } } } }
budget: { measure: pure, epsilon: 1 }
`);

test("ledgers are new each time, and what the disk refuses is said by its code", async () => {
  const ledgers = await auditedLedgers(policy);
  for (let again = 0; again < 2; again += 1) {
    const ledger = await ledgers.open();
    expect(await ledger.report()).toMatchObject({ charges: [] });
    await ledger.close();
  }
  ledgers.remove();
  await expect(ledgers.open()).rejects.toMatchObject({ code: "cli.file" });
});
