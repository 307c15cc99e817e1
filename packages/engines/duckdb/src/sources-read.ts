import { realpathSync, statSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { hasSeveralRoles, type Policy, type SourcesRead, type TablePolicy } from "@lethe/query";
import { Attachments } from "./attach.ts";
import { inInstance, lockDown } from "./instance.ts";
import type { EngineLimits } from "./limits.ts";
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
  const files = new Map<string, string>();
  for (const [name, table] of Object.entries(policy.tables)) {
    const path = pathOf(name, table, baseDirectory);
    if (path !== null) files.set(name, path);
  }
  const own = ([name, path]: readonly [string, string]): readonly [string, readonly string[]] => [
    name,
    [identityOf(path)],
  ];
  const kindOf = (name: string) => sourceKind(name, policy.tables[name]!);
  const plain = new Map([...files].filter(([name]) => kindOf(name) !== "duckdb").map(own));
  const inside = [...files].filter(([name]) => kindOf(name) === "duckdb");
  if (inside.length === 0 || !hasSeveralRoles(policy)) return plain;
  return inInstance({ ...limits, threads: 1 }, async (connection) => {
    const attachments = new Attachments(connection, log);
    const paths = new Map<string, string>();
    const relations = new Map<string, readonly string[]>();
    for (const [name, path] of inside) {
      const identity = identityOf(path);
      // One file under two names is attached once.
      if (!paths.has(identity)) paths.set(identity, path);
      const attached = attachments.database(
        name,
        paths.get(identity)!,
        policy.tables[name]!.relation ?? name,
      );
      const relation = await attached.then((found) => found.relation).catch(() => null);
      if (relation !== null) relations.set(name, relation);
    }
    // Without its optimizer, DuckDB plans to read whatever a relation names, whether rows would come of it or not.
    await connection.run("PRAGMA disable_optimizer");
    await lockDown(connection, [...files.values()]);
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
  const explained = await connection.runAndReadAll(
    `EXPLAIN (FORMAT json) SELECT * FROM ${quoteRelation(relation)}`,
  );
  const nodes: PlanNode[] = JSON.parse(String(explained.getRows()[0]![1]));
  const read = new Set<string>();
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    nodes.push(...(node.children ?? []));
    if (node.extra_info?.Table !== undefined) read.add(node.extra_info.Table);
    else if (!node.children?.length && !readsNothing.test(node.name.trim())) return null;
  }
  return [...read];
}
