import type { Node, SelectStmt } from "@pgsql/types";
import { unsupported } from "../../refuse.ts";
import { keyOfAll } from "../../types/compare.ts";
import type { Tuple, Value } from "../../types/values.ts";
import type { Compiler } from "../compiler.ts";
import type { Expr } from "../expr.ts";
import { Frame } from "../frame.ts";
import { stringsOf } from "../nodes.ts";
import type { Accumulator, Aggregate, Scope } from "../scope.ts";
import { byKeys } from "./sorting.ts";
import { type Target, targetMeant, typed } from "./targets.ts";

/** Reads the keys of GROUP BY: columns of the sources first, then targets by name or number. Errors: query.unsupported for GROUPING SETS. */
export function readGroups(
  { groupClause }: SelectStmt,
  targets: readonly Target[],
  compiler: Compiler,
  scope: Scope,
): readonly Expr[] {
  return (groupClause ?? []).flatMap((node): Expr[] => {
    if ("GroupingSet" in node) return unsupported("GROUPING SETS");
    const names = "ColumnRef" in node ? stringsOf(node.ColumnRef.fields) : [];
    const column = names.length === 1 ? scope.column(null, names[0] ?? "") : null;
    if (column) return [column];
    return [
      targetMeant(node, targets, "GROUP BY")?.expr ??
        typed(compiler.expression(node as Node, scope), compiler),
    ];
  });
}

interface Group {
  readonly tuples: Frame["tuples"];
  readonly sums: readonly Adding[];
}

/** Adds up one aggregate of one group. */
class Adding {
  readonly #aggregate: Aggregate;
  readonly #sum: Accumulator;
  readonly #seen: Set<ReturnType<typeof keyOfAll>> = new Set();
  readonly #waiting: { readonly keys: readonly Value[]; readonly values: Tuple }[] = [];

  constructor(aggregate: Aggregate) {
    this.#aggregate = aggregate;
    this.#sum = aggregate.begin();
  }

  add(frame: Frame): void {
    const { filter, arguments: own, order, isDistinct } = this.#aggregate;
    frame.run.budget.step();
    if (filter && filter.run(frame) !== true) return;
    const values = own.map(({ run }) => run(frame));
    if (isDistinct) {
      const key = keyOfAll(values);
      if (this.#seen.has(key)) return;
      frame.run.budget.hold(1);
      this.#seen.add(key);
    }
    if (order.length === 0 && !isDistinct) {
      this.#sum.add(values, frame.run);
      return;
    }
    frame.run.budget.hold(values.length);
    this.#waiting.push({
      keys: order.length === 0 ? values : order.map(({ expr }) => expr.run(frame)),
      values,
    });
  }

  /** Values that must differ come in their order, as PostgreSQL sorts to tell them apart. */
  result(run: Frame["run"]): Value {
    const { order } = this.#aggregate;
    const orders = order.length === 0 ? this.#aggregate.arguments.map(() => ascending) : order;
    const compare = byKeys(orders);
    for (const { values } of this.#waiting.sort((a, b) => compare(a.keys, b.keys)))
      this.#sum.add(values, run);
    return this.#sum.result(run);
  }
}

const ascending = { isDescending: false, areNullsFirst: false };

/** Puts rows into groups, and gives one frame a group with the values of its aggregates. */
export class Grouping {
  readonly #keys: readonly Expr[];
  readonly #aggregates: readonly Aggregate[];
  readonly #groups = new Map<ReturnType<typeof keyOfAll>, Group>();

  constructor(keys: readonly Expr[], aggregates: readonly Aggregate[]) {
    this.#keys = keys;
    this.#aggregates = aggregates;
  }

  add(frame: Frame): void {
    const key = keyOfAll(this.#keys.map(({ run }) => run(frame)));
    let group = this.#groups.get(key);
    if (!group) {
      frame.run.budget.hold(frame.tuples.length + this.#aggregates.length + 1);
      group = { tuples: [...frame.tuples], sums: this.#aggregates.map((each) => new Adding(each)) };
      this.#groups.set(key, group);
    }
    for (const sum of group.sums) sum.add(frame);
  }

  /** Yields the groups: without GROUP BY, one even of no rows. */
  *frames(frame: Frame): Iterable<Frame> {
    if (this.#keys.length === 0 && this.#groups.size === 0)
      this.#groups.set(null, {
        tuples: frame.tuples.map(() => null),
        sums: this.#aggregates.map((each) => new Adding(each)),
      });
    for (const { tuples, sums } of this.#groups.values()) {
      const grouped = new Frame(frame.run, frame.outer, tuples);
      grouped.aggregates = sums.map((sum) => sum.result(frame.run));
      yield grouped;
    }
  }
}
