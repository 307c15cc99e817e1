import type { Node, ResTarget, SelectStmt } from "@pgsql/types";
import { isPrintable } from "../policy/check-name.ts";
import { offsetOf } from "./nodes.ts";
import { defaultName, distinctNames } from "./output-name.ts";
import { refuse } from "./refuse.ts";
import { fieldNames, resolveName } from "./scope.ts";

const maxTargets = 100;

/** One item of the select list. */
export type Target = { readonly name: string; readonly node: Node; readonly offset: number | undefined };

export function targetsOf(select: SelectStmt): Target[] {
  const list = (select.targetList ?? []).map((node) => (node as { ResTarget: ResTarget }).ResTarget);
  if (list.length === 0)
    refuse("query.unsupported", "the question asks for nothing", "write SELECT COUNT(*) FROM …");
  if (list.length > maxTargets)
    refuse(
      "query.too-large",
      `the question asks for more than ${maxTargets} columns`,
      "ask several questions",
    );
  for (const { name, location } of list)
    if (name !== undefined && !isPrintable(name))
      refuse(
        "query.unsupported",
        "an alias holds a control or text-direction character",
        "rename it",
        location,
      );
  const names = distinctNames(list.map(({ name, val }) => name ?? defaultName(val!)));
  return list.map(({ val }, i) => ({ name: names[i]!, node: val!, offset: offsetOf(val!) }));
}

/** The constant of GROUP BY 1 and ORDER BY 1, as an index. */
export function ordinal(node: Node, targets: readonly Target[], clause: string): Target | null {
  if (!("A_Const" in node)) return null;
  const { ival, location } = node.A_Const;
  const target = ival && targets[(ival.ival ?? 0) - 1];
  if (!target)
    refuse(
      "query.unsupported",
      `${clause} takes a column's place (1 to ${targets.length}), a name or an expression`,
      `write ${clause} 1`,
      location,
    );
  return target;
}

/** The output column that a bare name means. */
export function aliased(node: Node, targets: readonly Target[]): Target | null {
  if (!("ColumnRef" in node)) return null;
  const names = fieldNames(node.ColumnRef.fields);
  if (names?.length !== 1) return null;
  const name = resolveName(
    names[0]!,
    targets.map((target) => target.name),
  );
  return targets.find((target) => target.name === name) ?? null;
}
