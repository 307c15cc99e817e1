import type { Policy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { tableNamed } from "./table-named.ts";

describe("a table by its name", () => {
  const people = { file: "people.csv" };
  const policy = { tables: { people } } as unknown as Policy;

  it("is the policy's", () => {
    expect(tableNamed(policy, "people")).toBe(people);
  });

  it("is refused where the policy has none of that name", () => {
    for (const name of ["visits", "", "toString"]) {
      expect(() => tableNamed(policy, name)).toThrow(
        expect.objectContaining({ code: "query.unknown-table", fields: { table: name } }),
      );
    }
  });
});
