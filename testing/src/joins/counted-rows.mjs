import { dialects, joinedRows, printQuery, questionsRows, relationRows, snapshotSelect } from "@lethe/query";

/*
 * How many joined rows each private row stands in, counted by the engine in the SQL that Lethe makes of a relation: of the whole, of
 * every part that is written, and of whatever an engine may join first.
 */

const types = { rid: "INTEGER", person: "INTEGER" };
const typeOf = (name) => types[name] ?? (name.endsWith("a") ? "INTEGER" : "VARCHAR");

/** Loads raw rows, and snapshots of them as an import makes them. `run` takes a statement. */
export async function loadTables(run, policy, tables, dialect) {
  for (const [table, { columns }] of Object.entries(policy.tables)) {
    const names = Object.keys(columns);
    await run(
      `CREATE OR REPLACE TABLE raw_${table} (${names.map((name) => `"${name}" ${typeOf(name)}`).join(", ")})`,
    );
    const values = (row) =>
      names
        .map((name) => (row[name] === null ? "NULL" : `'${String(row[name]).replaceAll("'", "''")}'`))
        .join(", ");
    if (tables[table].length > 0)
      await run(
        `INSERT INTO raw_${table} VALUES ${tables[table].map((row) => `(${values(row)})`).join(", ")}`,
      );
    const select = snapshotSelect(policy.tables[table], `raw_${table}`, dialect);
    await run(`CREATE OR REPLACE TABLE snapshot_${table} AS ${select}`);
  }
}

const storageOf = (table) => ({ relation: [`snapshot_${table}`], layout: "snapshot" });

/** The most joined rows in which any row of a private table stands, over all places where its table stands. `query` answers rows of one statement. */
export async function mostJoined(query, plan, policy) {
  const relation = questionsRows({ from: plan.from, where: plan.where });
  const sums = new Map();
  for (const [place, counts] of await countedPlaces(query, relation, policy))
    for (const [rid, count] of counts) {
      const id = `${place.table}\n${rid}`;
      sums.set(id, (sums.get(id) ?? 0) + count);
    }
  return Math.max(0, ...sums.values());
}

/** The bound that a plan states, and that its relation has. */
export function statedBound(plan) {
  return {
    stated: plan.joinedRows,
    derived: joinedRows(questionsRows({ from: plan.from, where: plan.where })),
  };
}

async function countedPlaces(query, relation, policy) {
  const counts = new Map();
  const doubles = new Set(allLeaves(relation).flatMap(doublesIn));
  for (const part of partsOf(relation)) {
    for (const leaf of leavesOf(part)) {
      const tables = tablesBehind(leaf).filter(({ unit }) => unit.kind !== "public");
      const shown = leaf.kind === "table" ? leaf : (ridOf(leaf) ?? null);
      if (tables.length === 0 || shown === null) continue;
      const found = await countBy(query, part, leaf);
      const places = tables.filter(({ source }) => !doubles.has(source));
      for (const table of places) {
        const place = counts.get(table.source) ?? { place: { table: table.table }, counts: new Map() };
        counts.set(table.source, place);
        for (const [rid, count] of found) {
          // A row of one part of a union is no row of another.
          if (!policy.rids(table.table).has(rid)) continue;
          place.counts.set(rid, Math.max(place.counts.get(rid) ?? 0, count));
        }
      }
    }
  }
  return [...counts.values()].map(({ place, counts: found }) => [place, found]);
}

/**
 * Returns the sources of a table that stands in several parts of a union, except its first: its rows have one number in all parts, and are counted
 * together.
 */
function doublesIn(leaf) {
  const tables = tablesBehind(leaf);
  return tables
    .filter(({ table }, at) => tables.findIndex((other) => other.table === table) < at)
    .map(({ source }) => source);
}

function allLeaves(relation) {
  return partsOf(relation).flatMap(leavesOf);
}

const ridOf = (leaf) => (Object.hasOwn(leaf.columns, "rid") ? leaf : null);

/** Returns, for each row of a source by its number, how many rows of a relation it stands in. */
async function countBy(query, relation, leaf) {
  const { query: rowsOfRelation, column } = relationRows(relation, storageOf, dialects.duckdb);
  const sql = printQuery(rowsOfRelation, dialects.duckdb.words);
  const name = column({ source: leaf.source, name: "rid" });
  const rows = await query(
    `SELECT source.${name}, count(*) FROM (${sql}) AS source WHERE source.${name} IS NOT NULL GROUP BY 1`,
    sql.includes("$1"),
  );
  return rows.map(([rid, count]) => [Number(rid), Number(count)]);
}

/** Returns the relation and all that it is made of; for semijoins and marks also its join with the rows that are looked at. */
function partsOf(relation, isWhole = true) {
  switch (relation.kind) {
    case "table":
      return [relation];
    case "filter":
      // No engine takes a condition behind a fence for one of the joins before it.
      if (relation.fenced) return [relation, ...partsOf(relation.of, isWhole)];
      return [relation, ...partsOf(relation.of, false), ...(isWhole ? reordered(relation) : [])];
    case "grouped":
    case "windowed":
      return [relation, ...partsOf(relation.of)];
    case "union":
      return [relation, ...relation.parts.flatMap(({ of }) => partsOf(of))];
    case "semijoin": {
      const { of, among, on } = relation;
      return [
        relation,
        { kind: "join", type: "inner", left: of, right: among, keys: [], on },
        ...partsOf(of),
      ];
    }
    case "marked": {
      const { of, among, keys, on } = relation;
      return [
        relation,
        { kind: "join", type: "inner", left: of, right: among, keys, on },
        ...partsOf(of, false),
        ...partsOf(among),
      ];
    }
    case "join":
      return [
        relation,
        ...partsOf(relation.left, relation.type !== "inner"),
        ...partsOf(relation.right, relation.type !== "inner"),
        ...(isWhole ? reordered(relation) : []),
      ];
  }
}

/**
 * Returns the parts of inner joins that an engine may join before the rest: sources that conditions name together, with all conditions on them alone.
 */
function reordered(relation) {
  const flat = flattened(relation);
  if (flat === null || flat.leaves.length > 7) return [];
  const { leaves, conditions, keys } = flat;
  const sourcesOf = leaves.map((leaf) => new Set(sourcesWithin(leaf)));
  const found = [];
  for (let set = 1; set < 2 ** leaves.length; set += 1) {
    const chosen = leaves.filter((_, at) => (set >> at) & 1);
    if (chosen.length < 2 || chosen.length === leaves.length) continue;
    const within = new Set(leaves.flatMap((_, at) => ((set >> at) & 1 ? [...sourcesOf[at]] : [])));
    const own = conditions.filter((condition) => readBy(condition).every((source) => within.has(source)));
    const ownKeys = keys.filter(({ left, right }) => within.has(left.source) && within.has(right.source));
    const groups = chosen.map((leaf) => ({
      sources: new Set(sourcesWithin(leaf)),
      isPrivate: tablesBehind(leaf).some(({ unit }) => unit.kind !== "public"),
    }));
    const links = [
      ...own.map(readBy),
      ...groups
        .filter(({ isPrivate }) => isPrivate)
        .flatMap((a, _, all) => all.map((b) => [[...a.sources][0], [...b.sources][0]])),
    ];
    if (groups.every(({ isPrivate }) => !isPrivate) || !isConnected(groups, links)) continue;
    found.push(joinedAll(chosen, own, ownKeys));
  }
  return found;
}

function joinedAll([first, ...others], conditions, keys) {
  let left = first;
  let rest = conditions;
  let open = keys;
  for (const right of others) {
    const here = new Set([...sourcesWithin(left), ...sourcesWithin(right)]);
    const now = rest.filter((condition) => readBy(condition).every((source) => here.has(source)));
    const met = open.filter((pair) => here.has(pair.left.source) && here.has(pair.right.source));
    rest = rest.filter((condition) => !now.includes(condition));
    open = open.filter((pair) => !met.includes(pair));
    const on =
      now.length === 0
        ? null
        : now.length === 1
          ? now[0]
          : { kind: "call", operator: "and", args: now, domain: now[0].domain };
    left = { kind: "join", type: "inner", left, right, keys: met, on };
  }
  return left;
}

function isConnected(groups, links) {
  const open = [0];
  const seen = new Set(open);
  for (const at of open)
    groups.forEach((group, other) => {
      const isLinked = links.some(
        (link) =>
          link.some((source) => groups[at].sources.has(source)) &&
          link.some((source) => group.sources.has(source)),
      );
      if (!seen.has(other) && isLinked) {
        seen.add(other);
        open.push(other);
      }
    });
  return seen.size === groups.length;
}

/** The sources and conditions of joins that are all inner; null where one is not. */
function flattened(relation) {
  if (relation.kind === "filter") {
    const inner = flattened(relation.of);
    return inner && { ...inner, conditions: [...inner.conditions, ...everyTrue(relation.where)] };
  }
  if (relation.kind !== "join") return { leaves: [relation], conditions: [], keys: [] };
  if (relation.type !== "inner") return null;
  const [a, b] = [flattened(relation.left), flattened(relation.right)];
  if (a === null || b === null) return null;
  return {
    leaves: [...a.leaves, ...b.leaves],
    conditions: [...a.conditions, ...b.conditions, ...(relation.on === null ? [] : everyTrue(relation.on))],
    keys: [...a.keys, ...b.keys, ...relation.keys],
  };
}

const everyTrue = (condition) =>
  condition.kind === "call" && condition.operator === "and" ? condition.args.flatMap(everyTrue) : [condition];

function readBy(expression) {
  if (expression.kind === "column") return [expression.source];
  if (expression.kind === "call") return expression.args.flatMap(readBy);
  if (expression.kind !== "case") return [];
  return [
    ...expression.branches.flatMap(({ when, then }) => [...readBy(when), ...readBy(then)]),
    ...readBy(expression.otherwise),
  ];
}

function leavesOf(relation) {
  if (["filter", "semijoin", "marked"].includes(relation.kind)) return leavesOf(relation.of);
  if (relation.kind === "join") return [...leavesOf(relation.left), ...leavesOf(relation.right)];
  return [relation];
}

function sourcesWithin(relation) {
  return leavesOf(relation).map(({ source }) => source);
}

function tablesBehind(relation) {
  if (relation.kind === "table") return [relation];
  if (relation.kind === "union") return relation.parts.flatMap(({ of }) => tablesBehind(of));
  if (relation.kind === "join") return [...tablesBehind(relation.left), ...tablesBehind(relation.right)];
  return tablesBehind(relation.of);
}
