import { elementAt } from "@lethe/core/numeric";
import type { Node, SelectStmt } from "@pgsql/types";
import type { PostExpression } from "../../aggregates/post-expression.ts";
import type { OverRelation } from "../../over/over-relation.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveLiteral } from "../expressions/resolve-literal.ts";
import { offsetOf } from "../names/nodes.ts";
import type { Scope } from "../names/scope.ts";
import type { TypedPost } from "../post/post-call.ts";
import { constantTime } from "../post/post-times.ts";
import type { OverScope } from "./over-scope.ts";

type Values = Extract<OverRelation, { kind: "values" }>;

/** The most rows that a question may write out. */
const mostWritten = 1000;

/** Returns the rows of VALUES, whose columns are column1, column2 …. Errors: query.unsupported, query.type, query.too-large. */
export function valuesScope(
  { valuesLists = [] }: Pick<SelectStmt, "valuesLists">,
  constants: Scope,
): OverScope {
  if (valuesLists.length > mostWritten)
    refuse(
      "query.too-large",
      `VALUES has more than ${mostWritten} rows`,
      "keep them in a public table",
      offsetOf(elementAt(valuesLists, 0)),
    );
  const rows = valuesLists.map((list) =>
    ("List" in list ? (list.List.items ?? []) : []).map((node) => constantOf(node, constants)),
  );
  const width = rows[0]?.length ?? 0;
  const uneven = rows.find((row) => row.length !== width);
  if (width === 0 || uneven)
    refuse(
      "query.unsupported",
      "the rows of VALUES have equally many values",
      "write VALUES (1, 'a'), (2, 'b')",
    );
  const columns = Array.from({ length: width }, (_, at): Values["columns"][number] => ({
    name: `column${at + 1}`,
    type: typeIn(
      rows.map((row) => elementAt(row, at).type),
      at,
    ),
  }));
  return {
    relation: { kind: "values", columns, rows: rows.map((row) => row.map(({ value }) => value)) },
    columns: columns.map(({ name, type }) => ({ source: null, name, column: name, type })),
  };
}

interface Constant {
  readonly value: Values["rows"][number][number];
  readonly type: TypedPost["type"];
}

function constantOf(node: Node, constants: Scope): Constant {
  const time = constantTime(node, constants);
  const sign = "A_Expr" in node && !node.A_Expr.lexpr && node.A_Expr.rexpr ? node.A_Expr : null;
  const word = sign?.name?.[0];
  const isNegative = word && "String" in word && word.String.sval === "-";
  const inner = isNegative && sign?.rexpr ? sign.rexpr : node;
  const found = time?.expression ?? ("A_Const" in inner ? resolveLiteral(inner.A_Const, constants) : null);
  const literal: Extract<PostExpression, { kind: "literal" }> | null =
    found?.kind === "literal" ? { kind: "literal", value: found.value } : null;
  if (!literal || (isNegative && typeof literal.value !== "number"))
    return refuse(
      "query.unsupported",
      "VALUES holds constants",
      "write numbers, texts, TRUE, FALSE, NULL or DATE '2024-01-01'",
      offsetOf(node),
    );
  const value = isNegative && typeof literal.value === "number" ? -literal.value : literal.value;
  if (value === null) return { value, type: "null" };
  if (time) return { value, type: time.type };
  const type = typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";
  return { value, type };
}

function typeIn(types: readonly TypedPost["type"][], at: number): Values["columns"][number]["type"] {
  const [type = "text", ...others] = new Set(types.flatMap((each) => (each === "null" ? [] : [each])));
  if (others.length > 0)
    return refuse(
      "query.type",
      `the column ${at + 1} of VALUES holds values of several types`,
      "write one type",
    );
  return type;
}
