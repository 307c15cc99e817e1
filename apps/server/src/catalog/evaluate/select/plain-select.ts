import type { Node, SelectStmt } from "@pgsql/types";
import { coerce } from "../../resolve/coerce.ts";
import { keyOfAll } from "../../types/compare.ts";
import { oids } from "../../types/oids.ts";
import type { Tuple, Value } from "../../types/values.ts";
import type { Compiler } from "../compiler.ts";
import type { Expr } from "../expr.ts";
import { Frame } from "../frame.ts";
import { readFrom } from "../from/from.ts";
import { addPart } from "../from/join-parts.ts";
import { planGroup } from "../from/plan.ts";
import type { Level } from "../level.ts";
import { conjunctsOf } from "../nodes.ts";
import type { Emit, Query } from "../query.ts";
import { type Collector, Scope } from "../scope.ts";
import { Grouping, readGroups } from "./grouping.ts";
import { readLimit } from "./limit.ts";
import { byKeys } from "./sorting.ts";
import { readOrder, readTargets, type Target, targetMeant, typed } from "./targets.ts";
import { computeWindows } from "./windows.ts";

/** Reads a SELECT of targets, FROM, WHERE, GROUP BY, HAVING, DISTINCT, ORDER BY and LIMIT. `names` are those around it, with its own WITH. */
export function plainSelect(select: SelectStmt, level: Level, names: Scope, compiler: Compiler): Query {
  const scope = new Scope(level, names);
  for (const node of select.windowClause ?? [])
    if ("WindowDef" in node) scope.windows.set(node.WindowDef.name ?? "", node);
  const from = readFrom(select.fromClause ?? [], compiler, level, scope);
  addPart(scope, from);
  const asBool = (node: Node): Expr =>
    coerce(compiler.expression(node, scope), oids.bool, "i", compiler.place, compiler.parameters);
  const where = conjunctsOf(select.whereClause).map((node) => {
    const { made: expr, slots } = level.recording(() => asBool(node));
    return { expr, slots };
  });
  const group = { items: from.group.items, conjuncts: [...from.group.conjuncts, ...where] };
  const collector: Collector = { aggregates: [], windows: [], sets: [] };
  scope.collector = collector;
  const targets = readTargets(select, compiler, scope);
  const order = readOrder(select, targets, compiler, scope);
  const having = select.havingClause ? asBool(select.havingClause) : null;
  const distinct = readDistinct(select, targets, compiler, scope);
  scope.collector = null;
  const keys = readGroups(select, targets, compiler, scope);
  const limit = readLimit(select, compiler, new Scope(level, names));
  const isGrouped = keys.length > 0 || collector.aggregates.length > 0 || having !== null;
  const scan = planGroup(group, level, new Set());
  const { windows, sets } = collector;
  const runs = targets.map(({ expr }) => expr.run);
  const compare = byKeys(order);

  /** Gives the frames from which the targets are computed. */
  const frames = (frame: Frame, give: (ready: Frame) => boolean): boolean => {
    if (!isGrouped) return scan(frame, give);
    const grouping = new Grouping(keys, collector.aggregates);
    scan(frame, (row) => {
      grouping.add(row);
      return false;
    });
    for (const ready of grouping.frames(frame)) {
      if (having && having.run(ready) !== true) continue;
      if (give(ready)) return true;
    }
    return false;
  };
  const windowed = (frame: Frame, give: (ready: Frame) => boolean): boolean => {
    if (windows.length === 0) return frames(frame, give);
    const all: Frame[] = [];
    frames(frame, (row) => {
      frame.run.budget.hold(row.tuples.length + windows.length);
      const kept = new Frame(row.run, row.outer, [...row.tuples]);
      kept.aggregates = row.aggregates;
      all.push(kept);
      return false;
    });
    computeWindows(all, windows);
    return all.some(give);
  };
  const rows = (frame: Frame, give: (ready: Frame) => boolean): boolean =>
    sets.length === 0 ? windowed(frame, give) : windowed(frame, (row) => expanded(row, sets, give));
  const computed = (ready: Frame): Tuple => {
    ready.run.budget.step(runs.length);
    return runs.map((run) => run(ready));
  };

  return {
    columns: targets.map(({ name, expr: { type, typmod, fields } }) => ({
      ...{ name, type: compiler.place.catalog.types.baseOf(type), typmod },
      ...(fields ? { fields } : {}),
    })),
    level,
    literals: targets.map(
      ({ node }) =>
        node !== null &&
        "A_Const" in node &&
        (node.A_Const.isnull === true || node.A_Const.sval !== undefined),
    ),
    each: (outer, run, emit) => {
      const frame = new Frame(run, outer, new Array<Tuple | null>(level.slots).fill(null));
      const limited = limit?.(frame, emit) ?? null;
      if (limited?.isNone) return false;
      const last = limited?.emit ?? emit;
      const stopped = (isStopped: boolean): boolean => (limited ? limited.isStopped() : isStopped);
      if (order.length === 0) {
        const once = distinctly(distinct, last);
        return stopped(rows(frame, (ready) => once(computed(ready), ready)));
      }
      const sorted: {
        readonly by: readonly Value[];
        readonly row: Tuple;
        readonly key: readonly Value[] | null;
      }[] = [];
      rows(frame, (ready) => {
        const row = computed(ready);
        run.budget.hold(row.length + order.length + 1);
        const by = order.map(({ expr }) => expr.run(ready));
        sorted.push({
          by,
          row,
          key: distinct === null || distinct === "all" ? null : distinct.map((each) => each.run(ready)),
        });
        return false;
      });
      run.budget.step(sorted.length * Math.ceil(Math.log2(sorted.length + 1)));
      sorted.sort((a, b) => compare(a.by, b.by));
      const seen = new Set<ReturnType<typeof keyOfAll>>();
      for (const { row, key } of sorted) {
        if (distinct !== null) {
          const own = keyOfAll(key ?? row);
          if (seen.has(own)) continue;
          seen.add(own);
        }
        if (last(row)) return stopped(true);
      }
      return false;
    },
  };
}

/** The keys of DISTINCT ON, "all" of DISTINCT, null where there is neither. */
function readDistinct(
  { distinctClause }: SelectStmt,
  targets: readonly Target[],
  compiler: Compiler,
  scope: Scope,
): readonly Expr[] | "all" | null {
  if (!distinctClause) return null;
  // DISTINCT without ON is a list of one empty node.
  const nodes = distinctClause.filter((node) => Object.keys(node).length > 0);
  if (nodes.length === 0) return "all";
  return nodes.map(
    (node) =>
      targetMeant(node, targets, "DISTINCT ON")?.expr ?? typed(compiler.expression(node, scope), compiler),
  );
}

/** Lets each row through once. */
function distinctly(
  distinct: readonly Expr[] | "all" | null,
  emit: Emit,
): (row: Tuple, frame: Frame) => boolean {
  if (distinct === null) return emit;
  const seen = new Set<ReturnType<typeof keyOfAll>>();
  return (row, frame) => {
    const key = keyOfAll(distinct === "all" ? row : distinct.map(({ run }) => run(frame)));
    if (seen.has(key)) return false;
    frame.run.budget.hold(row.length);
    seen.add(key);
    return emit(row);
  };
}

/** Gives a row as often as the longest of its sets has values: those that have fewer are NULL. */
function expanded(frame: Frame, sets: Collector["sets"], give: (ready: Frame) => boolean): boolean {
  frame.sets = [];
  const lists: (readonly Value[])[] = [];
  // A set may stand within another, which was noted before it.
  for (const set of sets) lists.push(set.rows(frame) as readonly Value[]);
  const most = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < most; at += 1) {
    frame.run.budget.step();
    frame.sets = lists.map((list) => list[at] ?? null);
    if (give(frame)) return true;
  }
  return false;
}
