import { LetheError } from "@lethe/core";
import { type ColumnPolicy, type TablePolicy, usedColumns } from "@lethe/query";
import type { AskCatalog } from "./check-server.ts";
import { TrinoFailure } from "./client/trino-failure.ts";
import { quoteName, quoteRelation } from "./quote.ts";
import type { RelationFacts } from "./relation-facts.ts";
import type { TrinoRelation } from "./relation-name.ts";

/**
 * Checks that a relation is there and may be read, that nothing is computed or parsed where it is read unless the policy vouches, and that it has every column
 * the policy reads, with a type that can be read as the declared one. Returns these types. Reads no row. Errors: engine.source for a relation that cannot be asked;
 * engine.untrusted; engine.schema, naming the column; other columns of the database are not named.
 */
export async function checkRelation(
  ask: AskCatalog,
  table: string,
  policy: TablePolicy,
  relation: TrinoRelation,
  facts: RelationFacts | null,
): Promise<Readonly<Record<string, string>>> {
  if (facts === null) throw unreadable(table, relation);
  const used: Record<string, string> = {};
  for (const name of usedColumns(policy)) {
    refuseCapitals(table, name, facts);
    const type = facts.types.get(name);
    if (type === undefined)
      throw new LetheError("engine.schema", `the relation of ${table} has no column ${name}`, {
        fix: "name the policy's columns as Trino does, without capitals, or take the column out of the policy",
        fields: { table, column: name },
      });
    if (!isReadable(type, policy.columns[name]))
      throw new LetheError(
        "engine.schema",
        `column ${name} of ${table} has a type that cannot be read as the policy declares it`,
        {
          fix: "declare numbers as numbers, times as times and texts as texts; arrays, maps, documents and bytes cannot be asked",
          fields: { table, column: name },
        },
      );
    used[name] = type;
  }
  checkComputed(table, policy, facts);
  await checkReadable(ask, table, relation, Object.keys(used));
  return used;
}

/** Refuses a column beside which the relation has another that is the same to Trino, which tells names apart without their capitals. Errors: engine.schema. */
function refuseCapitals(table: string, name: string, { types }: RelationFacts): void {
  const isSame = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  if ([...types.keys()].filter(isSame).length < 2) return;
  throw new LetheError(
    "engine.schema",
    `the relation of ${table} has two columns ${name} that differ in capitals alone, and are one to Trino`,
    {
      fix: "let the owner rename one of the two, or name a view without it and write trusted: true",
      fields: { table, column: name },
    },
  );
}

/** Connectors whose rows lie in files or memory that hold typed values: no row can be one that is not read. */
const typed: ReadonlySet<string> = new Set(["iceberg", "delta_lake", "hudi", "memory", "tpch", "tpcds"]);

/** Refuses what the policy must vouch for. Errors: engine.untrusted. */
function checkComputed(table: string, { trusted }: TablePolicy, facts: RelationFacts): void {
  if (trusted) return;
  const said = facts.isMaterializedView
    ? "is a materialized view"
    : facts.isView
      ? "is a view"
      : typed.has(facts.connector)
        ? null
        : `lies in a catalog of the connector ${facts.connector}, which may meet a row that it cannot read`;
  if (said === null) return;
  throw new LetheError("engine.untrusted", `the relation of ${table} ${said}`, {
    fix: `name a table of Iceberg or Delta Lake that stores these rows; or, if no row can make reading it fail and no row depends on those of another unit, write trusted: true below ${table} in the policy`,
    fields: { table },
  });
}

/** Has the server check the right to read the columns, and what a view is made of. */
async function checkReadable(
  ask: AskCatalog,
  table: string,
  relation: TrinoRelation,
  columns: readonly string[],
): Promise<void> {
  const list = columns.length === 0 ? "1" : columns.map(quoteName).join(", ");
  try {
    await ask(`EXPLAIN (TYPE VALIDATE) SELECT ${list} FROM ${quoteRelation(relation)}`);
  } catch (error) {
    if (error instanceof TrinoFailure) throw unreadable(table, relation);
    throw error;
  }
}

function unreadable(table: string, relation: TrinoRelation): LetheError {
  const name = relation.join(".");
  return new LetheError("engine.source", `Trino has no relation for ${table} that can be read`, {
    fix: `state relation: catalog.schema.table in the policy, and let Trino's access control give the user SELECT on ${name}`,
    fields: { table, relation: name },
  });
}

const integers = /^(tinyint|smallint|integer|bigint)$/;
const doubles = /^(double|real)$/;
const otherNumbers = /^(decimal\(\d+,\s?\d+\)|boolean)$/;
const texts = /^(varchar|char)(\(\d+\))?$/;
const times = /^(date|timestamp(\(\d+\))?( with time zone)?)$/;
/** Their texts have one spelling each, but they are no numbers and no times. */
const spelled = /^(uuid|ipaddress)$/;

/** Doubles are neither texts nor truths, for each engine spells them in its own way: 1, 1.0, 1e0. */
function isReadable(type: string, column: ColumnPolicy | undefined): boolean {
  if (texts.test(type)) return true;
  switch (column?.type) {
    case "number":
    case "integer":
      return integers.test(type) || doubles.test(type) || otherNumbers.test(type);
    case "date":
    case "timestamp":
      return times.test(type);
    case "text":
    case "boolean":
      return !doubles.test(type) && isScalar(type);
    case undefined:
      return isScalar(type);
  }
}

function isScalar(type: string): boolean {
  return [integers, doubles, otherNumbers, times, spelled].some((kind) => kind.test(type));
}
