import type { Alias, SelectStmt } from "@pgsql/types";
import { indexOf } from "../../relations/relation.ts";
import { type Query, rowsOfQuery } from "../query.ts";
import type { Scope } from "../scope.ts";
import { type FromPart, type FromReader, leafPart } from "./part.ts";

/** What a source within FROM is called. */
export interface Named {
  readonly alias: Alias | undefined;
  readonly name: string;
  readonly columnNames: readonly string[];
  readonly schema?: string | null;
}

/** About how many rows a sub-select has, of which nothing is known before. */
const usualRows = 100;

/** Reads a SELECT within FROM as rows of its own. `names` are those that it may use. */
export function derivedPart(
  select: SelectStmt,
  reader: FromReader,
  names: Scope | null,
  named: Named,
): FromPart {
  const { compiler, level } = reader;
  const { made: query, slots } = level.recording(() => compiler.select(select, level, names));
  return queryPart(query, slots, reader, named);
}

/** Returns the part of a query that is read already. */
export function queryPart(
  query: Query,
  needs: ReadonlySet<number>,
  { level }: FromReader,
  { alias, name, columnNames, schema = null }: Named,
): FromPart {
  const columns = query.columns.map((column, at) => ({ ...column, name: columnNames[at] ?? column.name }));
  const keys = columns.map(() => ({}));
  return leafPart(
    level,
    {
      slot: level.newSlot(),
      needs,
      size: usualRows,
      rows: (frame) => rowsOfQuery(query, frame),
      index: query.level.isClosed
        ? (column, frame) =>
            frame.run.once(keys[column] ?? keys, () => indexOf(rowsOfQuery(query, frame), column))
        : null,
      rowsEach: null,
    },
    columns,
    { alias, name, schema },
  );
}
