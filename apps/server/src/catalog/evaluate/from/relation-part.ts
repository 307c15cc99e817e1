import type { Alias, RangeVar, SelectStmt } from "@pgsql/types";
import { rowTypeOf } from "../../catalog.ts";
import { refused, unsupported } from "../../refuse.ts";
import type { Relation } from "../../relations/relation.ts";
import { oids } from "../../types/oids.ts";
import type { SourceColumn } from "../scope.ts";
import { derivedPart, queryPart } from "./derived-part.ts";
import { canInline, inlinedPart } from "./inline.ts";
import { type FromPart, type FromReader, leafPart } from "./part.ts";

const viewTrees = new WeakMap<Relation, SelectStmt>();

/** Reads a relation, or a query that WITH names. Errors: query.unknown-table; query.unsupported for rows that are not held here, and for the policy's own tables. */
export function relationPart(range: RangeVar, reader: FromReader, isOptional: boolean): FromPart {
  const { compiler, level, scope } = reader;
  const { relname = "", schemaname = null, alias, location } = range;
  const named = schemaname === null ? scope.withQuery(relname) : null;
  if (named) {
    const { working, columnNames } = named.query;
    if (working) {
      const { key, columns } = working;
      const leaf = { slot: level.newSlot(), needs: new Set<number>(), size: 100, rows: () => key.rows ?? [] };
      return leafPart(level, { ...leaf, index: null, rowsEach: null }, columns, { alias, name: relname });
    }
    const query = compiler.withQuery(named.query, level, named.scope);
    return queryPart(query, new Set(), reader, { alias, name: relname, columnNames });
  }
  const { catalog, session } = compiler.place;
  const relation = catalog.relation(schemaname, relname);
  if (!relation)
    return refused(
      "query.unknown-table",
      `there is no relation ${JSON.stringify(schemaname === null ? relname : `${schemaname}.${relname}`)} in the catalog`,
      location,
    );
  const { content } = relation;
  switch (content.kind) {
    case "private":
      return unsupported("rows of tables: a question asks a table, or the catalog, and not both", location);
    case "absent":
      return unsupported(`the rows of ${relname}`, location);
    case "view":
      return viewPart(relation, content.text, reader, isOptional, alias);
    default:
      return leafPart(
        level,
        {
          slot: level.newSlot(),
          needs: new Set(),
          size: relation.rows(session).length,
          rows: ({ run }) => relation.rows(run.session),
          index: (column, { run }) =>
            content.kind === "rows"
              ? relation.index(column, run.session)
              : run.once(indexKey(relation, column), () => relation.index(column, run.session)),
          rowsEach: (column) =>
            relation.rows(session).length / Math.max(1, relation.index(column, session).size),
        },
        relation.columns,
        { alias, name: relname, schema: relation.schema, rowType: rowTypeOf(catalog, relation) },
        hiddenColumns(relation, level.slots - 1),
      );
  }
}

const indexKeys = new WeakMap<Relation, object[]>();

/** An object that stands for the index of a column, to keep it by for one execution. */
function indexKey(relation: Relation, column: number): object {
  const keys = indexKeys.get(relation) ?? [];
  indexKeys.set(relation, keys);
  const key = keys[column] ?? {};
  keys[column] = key;
  return key;
}

function viewPart(
  relation: Relation,
  text: string,
  reader: FromReader,
  isOptional: boolean,
  alias: Alias | undefined,
): FromPart {
  const { catalog } = reader.compiler.place;
  const tree = viewTrees.get(relation) ?? catalog.parse(text);
  viewTrees.set(relation, tree);
  const names = relation.columns.map(({ name }) => name);
  const named = { alias, name: relation.name, columnNames: names, schema: relation.schema };
  if (!isOptional && canInline(tree, catalog)) return inlinedPart(tree, reader, null, named);
  return derivedPart(tree, reader, null, named);
}

/** The columns that every table has and * leaves out. */
function hiddenColumns(relation: Relation, slot: number): readonly SourceColumn[] {
  const slots = new Set([slot]);
  const fixed = (name: string, type: number, value: number | string): SourceColumn => ({
    name,
    slots,
    isHidden: true,
    expr: { type, typmod: -1, run: (frame) => (frame.tuples[slot] ? value : null) },
  });
  return [
    fixed("tableoid", oids.oid, relation.oid),
    fixed("xmin", oids.xid, 1),
    fixed("ctid", oids.tid, "(0,1)"),
  ];
}
