import type { Alias, Node } from "@pgsql/types";
import { refused } from "../../refuse.ts";
import type { Column } from "../../system/system.ts";
import { oids } from "../../types/oids.ts";
import type { Compiler } from "../compiler.ts";
import type { Level } from "../level.ts";
import { stringsOf } from "../nodes.ts";
import type { Scope, Source, SourceColumn } from "../scope.ts";
import type { Group, Leaf } from "./plan.ts";

/** A part of FROM: what is joined, and what its names mean. */
export interface FromPart {
  readonly group: Group;
  readonly sources: readonly Source[];
  /** The columns of * in order. */
  readonly star: readonly SourceColumn[];
  readonly slots: ReadonlySet<number>;
}

/** What a part of FROM is read with. */
export interface FromReader {
  readonly compiler: Compiler;
  readonly level: Level;
  /** The scope of the SELECT, whose parent has the names that stand outside FROM. */
  readonly scope: Scope;
  /** Reads another part. `seen` are the parts before it; `isOptional` where an outer join may leave it out. */
  readonly part: (node: Node, reader: FromReader, seen: Scope, isOptional: boolean) => FromPart;
}

/** Returns the part of one source with its own place in the frame. */
export function leafPart(
  level: Level,
  leaf: Omit<Leaf, "kind">,
  columns: readonly Column[],
  named: {
    readonly alias: Alias | undefined;
    readonly name: string;
    readonly schema?: string | null;
    readonly rowType?: number;
  },
  hidden: readonly SourceColumn[] = [],
): FromPart {
  const { slot } = leaf;
  const slots = new Set([slot]);
  const names = columnNames(columns, named.alias);
  const visible = columns.map(
    ({ type, typmod, fields }, at): SourceColumn => ({
      name: names[at] ?? "",
      slots,
      expr: {
        type,
        typmod,
        column: { level, slot, at },
        ...(fields ? { fields } : {}),
        run: (frame) => {
          const row = frame.tuples[slot];
          return row ? (row[at] ?? null) : null;
        },
      },
    }),
  );
  const source: Source = {
    name: named.alias?.aliasname ?? named.name,
    schema: named.alias ? null : (named.schema ?? null),
    columns: [...visible, ...hidden],
    rowType: named.rowType ?? oids.record,
    isPresent: (frame) => frame.tuples[slot] !== null,
  };
  return {
    group: { items: [{ kind: "leaf", ...leaf }], conjuncts: [] },
    sources: [source],
    star: visible,
    slots,
  };
}

/** Returns the names of columns as an alias gives them. Errors: query.unknown-column where it gives too many. */
export function columnNames(columns: readonly Column[], alias: Alias | undefined): readonly string[] {
  const stated = stringsOf(alias?.colnames);
  if (stated.length > columns.length)
    refused(
      "query.unknown-column",
      `${JSON.stringify(alias?.aliasname ?? "")} has ${columns.length} columns, and ${stated.length} are named`,
    );
  return columns.map(({ name }, at) => stated[at] ?? name);
}
