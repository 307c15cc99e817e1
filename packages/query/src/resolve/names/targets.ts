import { elementAt, lastElement } from "@lethe/core/numeric";
import type { Node, ResTarget, SelectStmt } from "@pgsql/types";
import { isPrintable } from "../../policy/check-name.ts";
import { refuse } from "../../refusals/refuse.ts";
import { offsetOf, part } from "./nodes.ts";
import { defaultName, distinctNames } from "./output-name.ts";
import { fieldNames, resolveName } from "./scope.ts";
import { spreadQuantiles } from "./spread-quantiles.ts";

const maxTargets = 100;

/** One item of the select list. */
export interface Target {
  readonly name: string;
  readonly node: Node;
  readonly offset: number | undefined;
  /** The item's place in the list as it was written: several quantiles in one item become a column each. */
  readonly item: number;
}

export function targetsOf(select: SelectStmt): Target[] {
  const items = (select.targetList ?? []).map((node) => (node as { ResTarget: ResTarget }).ResTarget);
  const spread = items.flatMap((one, item) => spreadQuantiles(one).map((target) => ({ target, item })));
  const list = spread.map(({ target }) => target);
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
  const names = distinctNames(list.map(({ name, val }) => name ?? defaultName(part(val))));
  return spread.map(({ target: { val }, item }, i) => {
    const node = part(val);
    return { name: elementAt(names, i), node, offset: offsetOf(node), item };
  });
}

/** Returns the item whose place GROUP BY 1 or ORDER BY 1 states; null for a node that is no constant. */
export function ordinal(node: Node, targets: readonly Target[], clause: string): Target | null {
  if (!("A_Const" in node)) return null;
  const { ival, location } = node.A_Const;
  const [target, ...others] = targets.filter(({ item }) => ival && item === (ival.ival ?? 0) - 1);
  if (!target)
    refuse(
      "query.unsupported",
      `${clause} takes a column's place (1 to ${(targets.at(-1)?.item ?? 0) + 1}), a name or an expression`,
      `write ${clause} 1`,
      location,
    );
  if (others.length > 0)
    refuse(
      "query.unsupported",
      `${clause} ${ival?.ival} is several columns, ${target.name} to ${lastElement(others).name}`,
      `write ${clause} ${target.name}`,
      location,
    );
  return target;
}

/** Returns the output column that a bare name means. */
export function aliased(node: Node, targets: readonly Target[]): Target | null {
  if (!("ColumnRef" in node)) return null;
  const names = fieldNames(node.ColumnRef.fields);
  if (names?.length !== 1) return null;
  const name = resolveName(
    elementAt(names, 0),
    targets.map((target) => target.name),
  );
  return targets.find((target) => target.name === name) ?? null;
}
