import { describe, expect, it } from "vitest";
import { dataVersion, type TableVersion } from "./data-version.ts";

const imported = (table: string, id = "i"): TableVersion => ({ table, imported: id, declared: null });
const declared = (table: string, id = "d"): TableVersion => ({ table, imported: null, declared: id });
const unknown = (table: string): TableVersion => ({ table, imported: null, declared: null });
const valid = { answersValid: 1000 };

describe("the version of the data that a question reads", () => {
  it("is there where every table has one", () => {
    expect(dataVersion([imported("a"), declared("b")], {})).toEqual({
      tables: [imported("a"), declared("b")],
      validFor: null,
    });
    expect(dataVersion([imported("a"), unknown("b")], {})).toBeNull();
    expect(dataVersion([unknown("a")], {})).toBeNull();
    expect(dataVersion([], {})).toEqual({ tables: [], validFor: null });
  });

  it("is good for the policy's period where a table is read as it lies", () => {
    expect(dataVersion([imported("a")], valid)?.validFor).toBeNull();
    expect(dataVersion([imported("a"), unknown("b")], valid)?.validFor).toBe(1000);
    expect(dataVersion([declared("a")], valid)?.validFor).toBe(1000);
    expect(dataVersion([unknown("a")], valid)).toEqual({ tables: [unknown("a")], validFor: 1000 });
  });

  it("does not depend on the order in which tables are read", () => {
    const tables = [declared("b"), imported("a"), imported("c")];
    expect(dataVersion(tables, {})).toEqual(dataVersion(tables.toReversed(), {}));
  });
});
