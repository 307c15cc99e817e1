import type { Partitions, TableStorage } from "@lethe/query";
import { hasPostgres, serverWith } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import { toldOfPeople } from "./testing/asked-server.ts";
import { hasVirtualColumns } from "./testing/has-virtual-columns.ts";

/* Partitions are read one by one only where that gives the rows that reading the table gives, each unit's from one of them. */

const shape = "(id integer, mail text, wage float8)";

describe.skipIf(!hasPostgres())("partitions of a relation", () => {
  const own = serverWith("CREATE ROLE lethe LOGIN; CREATE TYPE mood AS ENUM ('glad', 'sad')");

  /** What an engine says of a table that `sql` makes. */
  async function partitionsOf(table: string, sql: string, more = ""): Promise<Partitions | undefined> {
    await own.admin.query(`${sql}; GRANT SELECT ON ${table} TO lethe`);
    await own.admin.query(
      `DO $$ DECLARE part regclass; BEGIN FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = '${table}'::regclass LOOP
        EXECUTE format('GRANT SELECT ON %s TO lethe', part); END LOOP; END $$; ${more}`,
    );
    const told = await toldOfPeople(
      own.server,
      "lethe",
      `relation: public.${table}, unit: id, max_groups_contributed: 1, max_rows_contributed_per_group: 1, columns: { id: { type: text }, wage: { type: number } }`,
    );
    expect(told).toMatchObject({ layout: "raw" });
    return (told as TableStorage).partitions;
  }

  const parts = (table: string, bounds: readonly string[]): string =>
    bounds
      .map((bound, at) => `CREATE TABLE ${table}_${at} PARTITION OF ${table} FOR VALUES ${bound}`)
      .join("; ");
  const hashed = (table: string, columns: string, by: string): string =>
    `CREATE TABLE ${table} ${columns} PARTITION BY HASH (${by}); ${parts(table, ["WITH (MODULUS 2, REMAINDER 0)", "WITH (MODULUS 2, REMAINDER 1)"])}`;

  it("are told in the order of their places, with the rule that places rows", async () => {
    const one = await partitionsOf("one", hashed("one", shape, "id"));
    expect(one).toMatchObject({
      column: "id",
      relations: [
        ["public", "one_0"],
        ["public", "one_1"],
      ],
    });
    const other = await partitionsOf("other", hashed("other", shape.replace("integer", "bigint"), "id"));
    expect(other!.placement).toBe(one!.placement);
    const named = await partitionsOf("named", hashed("named", shape.replace("integer", "text"), "id"));
    expect(named!.placement).not.toBe(one!.placement);
    const bounds = [
      "WITH (MODULUS 2, REMAINDER 1)",
      "WITH (MODULUS 4, REMAINDER 0)",
      "WITH (MODULUS 4, REMAINDER 2)",
    ];
    const uneven = await partitionsOf(
      "uneven",
      `CREATE TABLE uneven ${shape} PARTITION BY HASH (id); ${parts("uneven", bounds)}`,
    );
    expect(uneven!.relations.map(([, name]) => name)).toEqual(["uneven_1", "uneven_0", "uneven_2"]);
    expect(uneven!.placement).not.toBe(one!.placement);
  });

  it("are none where rows lie apart by anything else", async () => {
    const range = `CREATE TABLE ranged ${shape} PARTITION BY RANGE (id); ${parts("ranged", ["FROM (0) TO (5)", "FROM (5) TO (9)"])}`;
    expect(await partitionsOf("ranged", range)).toBeUndefined();
    expect(await partitionsOf("two", hashed("two", shape, "id, mail"))).toBeUndefined();
    expect(await partitionsOf("computed", hashed("computed", shape, "(id + 0)"))).toBeUndefined();
    expect(await partitionsOf("plain", `CREATE TABLE plain ${shape}`)).toBeUndefined();
    const heirs = `CREATE TABLE heirs ${shape}; CREATE TABLE heirs_0 () INHERITS (heirs)`;
    expect(await partitionsOf("heirs", heirs)).toBeUndefined();
  });

  it("are none where another hash is used, or equal names may have different hashes", async () => {
    await own.admin.query(`CREATE FUNCTION hash_of_day(integer, bigint) RETURNS bigint IMMUTABLE LANGUAGE sql AS 'SELECT 7';
      CREATE OPERATOR CLASS odd_ops FOR TYPE integer USING hash AS OPERATOR 1 =, FUNCTION 2 hash_of_day(integer, bigint)`);
    expect(await partitionsOf("odd", hashed("odd", shape, "id odd_ops"))).toBeUndefined();
    expect(
      await partitionsOf("moods", hashed("moods", shape.replace("integer", "mood"), "id")),
    ).toBeUndefined();
  });

  it("are none where the role may not read each, or a name decides which rows it reads", async () => {
    expect(
      await partitionsOf("hidden", hashed("hidden", shape, "id"), "REVOKE SELECT ON hidden_1 FROM lethe"),
    ).toBeUndefined();
    expect(
      await partitionsOf(
        "secured",
        hashed("secured", shape, "id"),
        "ALTER TABLE secured_1 ENABLE ROW LEVEL SECURITY",
      ),
    ).toBeUndefined();
  });

  it("are none where a column is computed when it is read", async ({ skip }) => {
    skip(!(await hasVirtualColumns(own.admin)), "columns are VIRTUAL from PostgreSQL 18 on");
    const virtual =
      "(id integer, mail text, wage float8, twice float8 GENERATED ALWAYS AS (wage * 2) VIRTUAL)";
    expect(await partitionsOf("doubled", hashed("doubled", virtual, "id"))).toBeUndefined();
  });
});
