import type { Node, RangeSubselect } from "@pgsql/types";
import { unsupported } from "../../refuse.ts";
import type { Compiler } from "../compiler.ts";
import type { Level } from "../level.ts";
import { unknownNode } from "../nodes.ts";
import type { Scope } from "../scope.ts";
import { derivedPart } from "./derived-part.ts";
import { functionPart } from "./function-part.ts";
import { canInline, inlinedPart } from "./inline.ts";
import { joinedParts, joinPart } from "./join-parts.ts";
import type { FromPart, FromReader } from "./part.ts";
import { relationPart } from "./relation-part.ts";

/** Reads FROM. Errors: those of its parts. */
export function readFrom(nodes: readonly Node[], compiler: Compiler, level: Level, scope: Scope): FromPart {
  return joinedParts(nodes, { compiler, level, scope, part: readPart }, scope.parent);
}

function readPart(node: Node, reader: FromReader, seen: Scope, isOptional: boolean): FromPart {
  if ("RangeVar" in node) return relationPart(node.RangeVar, reader, isOptional);
  if ("JoinExpr" in node) return joinPart(node.JoinExpr, reader, seen, isOptional);
  if ("RangeSubselect" in node) return subselectPart(node.RangeSubselect, reader, seen, isOptional);
  if ("RangeFunction" in node) return functionPart(node.RangeFunction, reader, seen);
  return unknownNode(node);
}

function subselectPart(
  { subquery, alias, lateral }: RangeSubselect,
  reader: FromReader,
  seen: Scope,
  isOptional: boolean,
): FromPart {
  if (!subquery || !("SelectStmt" in subquery)) return unsupported("a sub-query that is no SELECT");
  const names = lateral ? seen : reader.scope.parent;
  const named = { alias, name: "", columnNames: [] };
  const { SelectStmt: select } = subquery;
  if (!isOptional && !lateral && canInline(select, reader.compiler.place.catalog))
    return inlinedPart(select, reader, names, named);
  return derivedPart(select, reader, names, named);
}
