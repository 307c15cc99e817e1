import { realpathSync, statSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { hasSeveralRoles, type Policy, type SourcesRead, type TablePolicy } from "@lethe/query";
import { Attachments } from "./attach.ts";
import { inInstance, lockDown } from "./instance.ts";
import type { EngineLimits } from "./limits.ts";
import { onlyRow } from "./only-row.ts";
import { quoteRelation } from "./quote.ts";
import { sourceKind, sourcePath } from "./source-file.ts";

/**
 * Finds the sources that are read for each table of a policy: files by device and inode, so that links and spellings lead to one,
 * and in .duckdb files the tables that a relation reads, through any number of views and macros. Reads no row. Files that are
 * missing or cannot be opened read nothing, as no question can.
 */
export async function sourcesRead(
  policy: Policy,
  baseDirectory: string,
  limits: EngineLimits,
  log: (detail: string) => void,
): Promise<SourcesRead> {
  const files = Object.entries(policy.tables).flatMap(([name, table]) => {
    const path = pathOf(name, table, baseDirectory);
    return path === null ? [] : [{ name, table, path, kind: sourceKind(name, table) }];
  });
  const plain = new Map(
    files
      .filter(({ kind }) => kind !== "duckdb")
      .map(({ name, path }): readonly [string, readonly string[]] => [name, [identityOf(path)]]),
  );
  const inside = files.filter(({ kind }) => kind === "duckdb");
  if (inside.length === 0 || !hasSeveralRoles(policy)) return plain;
  return inInstance({ ...limits, threads: 1 }, async (connection) => {
    const attachments = new Attachments(connection, log);
    const paths = new Map<string, string>();
    const relations = new Map<string, readonly string[]>();
    for (const { name, table, path } of inside) {
      const identity = identityOf(path);
      // One file under two names is attached once.
      const first = paths.get(identity) ?? path;
      paths.set(identity, first);
      const attached = attachments.database(name, first, table.relation ?? name);
      const relation = await attached.then((found) => found.relation).catch(() => null);
      if (relation !== null) relations.set(name, relation);
    }
    // Without its optimizer, DuckDB plans to read whatever a relation names, whether rows would come of it or not.
    await connection.run("PRAGMA disable_optimizer");
    await lockDown(
      connection,
      files.map(({ path }) => path),
    );
    const read = new Map<string, readonly string[] | null>(plain);
    for (const [name, relation] of relations)
      read.set(name, await relationsRead(connection, relation).catch(() => []));
    return read;
  });
}

function pathOf(name: string, table: TablePolicy, baseDirectory: string): string | null {
  try {
    return sourcePath(name, table, baseDirectory);
  } catch {
    return null;
  }
}

/** Returns one text for one file, whatever it is called. */
function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return ino === 0n ? realpathSync.native(path) : `file ${dev}:${ino}`;
}

interface PlanNode {
  readonly name: string;
  readonly children?: readonly PlanNode[];
  readonly extra_info?: { readonly Table?: string };
}

/** Matches parts of a plan that read nothing, or what another part has read. */
const readsNothing = /^(CTE_SCAN|REC_CTE_SCAN|DELIM_SCAN|DUMMY_SCAN|COLUMN_DATA_SCAN|RANGE|GENERATE_SERIES)$/;

/** Returns the tables that a plan scans; null where it reads something else, as a file that a view names. */
async function relationsRead(
  connection: DuckDBConnection,
  relation: readonly string[],
): Promise<readonly string[] | null> {
  const [, plan] = await onlyRow(
    connection,
    `EXPLAIN (FORMAT json) SELECT * FROM ${quoteRelation(relation)}`,
  );
  const nodes: PlanNode[] = JSON.parse(String(plan));
  const read = new Set<string>();
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    nodes.push(...(node.children ?? []));
    if (node.extra_info?.Table !== undefined) read.add(node.extra_info.Table);
    else if (!node.children?.length && !readsNothing.test(node.name.trim())) return null;
  }
  return [...read];
}
