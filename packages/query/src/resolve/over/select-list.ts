import { elementAt } from "@lethe/core/numeric";
import type { Node, ResTarget } from "@pgsql/types";
import { refuse } from "../../refusals/refuse.ts";
import { offsetOf, partOf } from "../names/nodes.ts";
import { defaultName, distinctNames } from "../names/output-name.ts";
import { fieldNames } from "../names/scope.ts";
import { type OverScope, starOf } from "./over-scope.ts";

/** An item of the list of a SELECT over an answer: its name, which no other item has, and what it is. */
export interface ListedItem {
  readonly name: string;
  readonly node: Node;
}

/** The list of a SELECT over an answer, with * written out, and how other clauses speak of its items. */
export class SelectList {
  readonly items: readonly ListedItem[];

  constructor(targetList: readonly Node[], scope: OverScope) {
    const listed = targetList.flatMap((item) => listedItems(item, scope));
    const names = distinctNames(listed.map(({ name }) => name));
    this.items = listed.map(({ node }, at) => ({ name: elementAt(names, at), node }));
  }

  /** Returns the item that has a name; undefined where there is none. */
  named(name: string | undefined): ListedItem | undefined {
    return this.items.find((item) => item.name === name);
  }

  /** Returns the item that a node names by one word; undefined where it does not. */
  namedBy(node: Node): ListedItem | undefined {
    const names = "ColumnRef" in node ? fieldNames(node.ColumnRef.fields) : null;
    return names?.length === 1 ? this.named(names[0]) : undefined;
  }

  /** Returns the item at the place that a constant states. Errors: query.unsupported where there is none. */
  at(node: Node, clause: string): ListedItem {
    const place = "A_Const" in node && node.A_Const.ival ? (node.A_Const.ival.ival ?? 0) : 0;
    const item = this.items[place - 1];
    if (item) return item;
    return refuse(
      "query.unsupported",
      `${clause} takes a column's place (1 to ${this.items.length}), a name or an expression`,
      `write ${clause} 1`,
      offsetOf(node),
    );
  }
}

function listedItems(item: Node, { columns }: OverScope): readonly ListedItem[] {
  const { val, name } = (item as { ResTarget: ResTarget }).ResTarget;
  const node = partOf(val);
  const star = starOf(node);
  if (!star) return [{ name: name ?? defaultName(node), node }];
  return columns
    .filter(({ source }) => star.source === null || source === star.source)
    .map((column) => ({
      name: column.name,
      node: {
        ColumnRef: {
          fields: [...(column.source === null ? [] : [column.source]), column.name].map((sval) => ({
            String: { sval },
          })),
        },
      },
    }));
}
