import type { Node, SelectStmt } from "@pgsql/types";
import { refused } from "../../refuse.ts";
import { coerce } from "../../resolve/coerce.ts";
import { oids } from "../../types/oids.ts";
import type { Compiler } from "../compiler.ts";
import type { Expr } from "../expr.ts";
import { integerOf, stringsOf } from "../nodes.ts";
import type { Scope, SortKey } from "../scope.ts";
import { expandStar, targetName } from "../targets.ts";

export interface Target {
  readonly name: string;
  readonly expr: Expr;
  /** What is written; null of a column that * stands for. */
  readonly node: Node | null;
}

/** Reads the list of a SELECT. Literals that nothing gives a type are texts. */
export function readTargets({ targetList }: SelectStmt, compiler: Compiler, scope: Scope): readonly Target[] {
  return (targetList ?? []).flatMap((item): Target[] => {
    const { val, name } = "ResTarget" in item ? item.ResTarget : {};
    const star = expandStar(val, scope) ?? rowStar(val, compiler, scope);
    if (star) return star.map((column) => ({ name: column.name, expr: column.expr, node: null }));
    const read = compiler.expression(val as Node, scope);
    return [{ name: name ?? targetName(val), expr: typed(read, compiler), node: val ?? null }];
  });
}

/** `(row).*`: all columns of a row. */
function rowStar(
  node: Node | undefined,
  compiler: Compiler,
  scope: Scope,
): readonly { name: string; expr: Expr }[] | null {
  if (!node || !("A_Indirection" in node)) return null;
  const { arg, indirection } = node.A_Indirection;
  const [step, ...more] = indirection ?? [];
  if (!step || !("A_Star" in step) || more.length > 0) return null;
  const { fields = [] } = compiler.expression(arg as Node, scope);
  return fields.map(({ name }) => ({
    name,
    expr: compiler.expression(
      { A_Indirection: { arg: arg as Node, indirection: [{ String: { sval: name } }] } },
      scope,
    ),
  }));
}

/** An expression whose type is decided. */
export function typed(expr: Expr, compiler: Compiler): Expr {
  return expr.type === oids.unknown
    ? coerce(expr, oids.text, "i", compiler.place, compiler.parameters)
    : expr;
}

/** Returns the target that a bare name, or a number, of ORDER BY and GROUP BY means; null of any other expression. Errors: query.syntax. */
export function targetMeant(node: Node, targets: readonly Target[], clause: string): Target | null {
  const number = integerOf(node);
  if (number !== null)
    return (
      targets[number - 1] ?? refused("query.syntax", `${clause} position ${number} is not in select list`)
    );
  if (!("ColumnRef" in node)) return null;
  const names = stringsOf(node.ColumnRef.fields);
  return names.length === 1 ? (targets.find(({ name }) => name === names[0]) ?? null) : null;
}

/** Reads the keys of ORDER BY: targets by name or number, or other expressions. */
export function readOrder(
  { sortClause }: SelectStmt,
  targets: readonly Target[],
  compiler: Compiler,
  scope: Scope | null,
): readonly SortKey[] {
  return (sortClause ?? []).map((item) => {
    const { node, sortby_dir, sortby_nulls } = "SortBy" in item ? item.SortBy : {};
    const target = node ? targetMeant(node, targets, "ORDER BY") : null;
    const expr = target?.expr ?? (scope && node ? typed(compiler.expression(node, scope), compiler) : null);
    if (!expr)
      return refused("query.unsupported", "ORDER BY of a UNION takes the names of its columns alone");
    const isDescending = sortby_dir === "SORTBY_DESC";
    return {
      expr,
      isDescending,
      areNullsFirst:
        sortby_nulls === "SORTBY_NULLS_FIRST" || (isDescending && sortby_nulls !== "SORTBY_NULLS_LAST"),
    };
  });
}
