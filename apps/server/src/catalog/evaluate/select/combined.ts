import type { SelectStmt } from "@pgsql/types";
import { refused, unsupported } from "../../refuse.ts";
import { coerce, commonType } from "../../resolve/coerce.ts";
import { converter } from "../../resolve/convert.ts";
import type { Column } from "../../system/system.ts";
import { keyOfAll } from "../../types/compare.ts";
import { oids } from "../../types/oids.ts";
import type { Tuple, Value } from "../../types/values.ts";
import type { Compiler } from "../compiler.ts";
import { Frame, type Run } from "../frame.ts";
import type { Level } from "../level.ts";
import type { Emit, Query } from "../query.ts";
import { Scope } from "../scope.ts";
import { readLimit } from "./limit.ts";
import { byKeys } from "./sorting.ts";
import { readOrder, type Target } from "./targets.ts";

/** Reads VALUES. Errors: query.type for lists of different lengths. */
export function valuesQuery(select: SelectStmt, level: Level, names: Scope, compiler: Compiler): Query {
  const { place, parameters } = compiler;
  const scope = new Scope(level, names);
  const lists = (select.valuesLists ?? []).map((list) =>
    ("List" in list ? (list.List.items ?? []) : []).map((node) => compiler.expression(node, scope)),
  );
  const [first = []] = lists;
  if (lists.some(({ length }) => length !== first.length))
    return refused("query.type", "VALUES lists must all be the same length");
  const types = first.map((_, at) =>
    commonType(
      lists.flatMap((list) => list[at] ?? []),
      place.catalog,
      "VALUES",
    ),
  );
  const rows = lists.map((list) =>
    list.map((expr, at) => coerce(expr, types[at] ?? oids.text, "i", place, parameters).run),
  );
  const columns = types.map((type, at) => ({ name: `column${at + 1}`, type, typmod: -1 }));
  return ordered(select, columns, level, names, compiler, (frame, emit) =>
    rows.some((row) => emit(row.map((run) => run(frame)))),
  );
}

/** Reads UNION, EXCEPT and INTERSECT. */
export function combinedQuery(select: SelectStmt, level: Level, names: Scope, compiler: Compiler): Query {
  const { op, all = false, larg, rarg } = select;
  if (!larg || !rarg) return unsupported("a set operation of one side");
  const [left, right] = [compiler.select(larg, level, names), compiler.select(rarg, level, names)];
  const columns = commonColumns(left, right, compiler);
  const sides = [left, right].map((query) => converted(query, columns, compiler)) as [Rows, Rows];
  return ordered(select, columns, level, names, compiler, (frame, emit) =>
    combine(op ?? "", all, sides, frame, emit),
  );
}

type Rows = (frame: Frame, emit: Emit) => boolean;

/** The columns that two queries have in common. Errors: query.type. */
export function commonColumns(left: Query, right: Query, { place }: Compiler): readonly Column[] {
  if (left.columns.length !== right.columns.length)
    return refused("query.type", "each UNION query must have the same number of columns");
  return left.columns.map(({ name, type, typmod }, at) => {
    const other = right.columns[at] as Column;
    if (type === other.type) return { name, type, typmod: typmod === other.typmod ? typmod : -1 };
    return {
      name,
      type: commonType(
        [{ type: literalType(left, at) }, { type: literalType(right, at) }],
        place.catalog,
        "UNION",
      ),
      typmod: -1,
    };
  });
}

function literalType({ columns, literals }: Query, at: number): number {
  return literals?.[at] ? oids.unknown : (columns[at]?.type ?? oids.text);
}

/** Gives the rows of a query in the types of other columns. */
export function converted(query: Query, columns: readonly Column[], { place }: Compiler): Rows {
  const converts = query.columns.map(({ type }, at) =>
    converter(type, columns[at]?.type ?? type, place.catalog),
  );
  if (converts.every((convert) => convert === null))
    return (frame, emit) => query.each(frame, frame.run, emit);
  const convert = (row: Tuple, run: Run): Tuple =>
    row.map((value, at): Value => {
      const own = converts[at];
      return value === null || !own ? value : own(value, run);
    });
  return (frame, emit) => query.each(frame, frame.run, (row) => emit(convert(row, frame.run)));
}

function combine(
  op: string,
  all: boolean,
  [left, right]: readonly [Rows, Rows],
  frame: Frame,
  emit: Emit,
): boolean {
  const { budget } = frame.run;
  const seen = new Set<ReturnType<typeof keyOfAll>>();
  const once = (row: Tuple): boolean => {
    budget.step();
    const key = keyOfAll(row);
    if (seen.has(key)) return false;
    budget.hold(row.length);
    seen.add(key);
    return emit(row);
  };
  if (op === "SETOP_UNION")
    return all ? left(frame, emit) || right(frame, emit) : left(frame, once) || right(frame, once);
  const lefts: Tuple[] = [];
  left(frame, (row) => {
    budget.step();
    budget.hold(row.length);
    lefts.push(row);
    return false;
  });
  if (lefts.length === 0) return false;
  const counts = new Map<ReturnType<typeof keyOfAll>, number>();
  right(frame, (row) => {
    budget.step();
    budget.hold(row.length);
    const key = keyOfAll(row);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return false;
  });
  const isIntersection = op === "SETOP_INTERSECT";
  return lefts.some((row) => {
    const key = keyOfAll(row);
    const count = counts.get(key) ?? 0;
    if (!all) return count > 0 === isIntersection ? once(row) : false;
    if (count > 0) counts.set(key, count - 1);
    return count > 0 === isIntersection ? emit(row) : false;
  });
}

/** Puts rows in the order that is asked for, and lets those of LIMIT through. */
export function ordered(
  select: SelectStmt,
  columns: readonly Column[],
  level: Level,
  names: Scope,
  compiler: Compiler,
  rows: Rows,
): Query {
  const row: { current: Tuple } = { current: [] };
  const targets = columns.map(
    ({ name, type, typmod }, at): Target => ({
      name,
      node: null,
      expr: { type, typmod, run: () => row.current[at] ?? null },
    }),
  );
  const order = readOrder(select, targets, compiler, null);
  const limit = readLimit(select, compiler, new Scope(level, names));
  const compare = byKeys(order);
  return {
    columns,
    level,
    each: (outer, run, emit) => {
      const frame = new Frame(run, outer, []);
      const limited = limit?.(frame, emit) ?? null;
      if (limited?.isNone) return false;
      const last = limited?.emit ?? emit;
      if (order.length === 0) {
        const isStopped = rows(frame, last);
        return limited ? limited.isStopped() : isStopped;
      }
      const sorted: { readonly by: readonly Value[]; readonly row: Tuple }[] = [];
      rows(frame, (each) => {
        run.budget.hold(each.length + order.length);
        row.current = each;
        sorted.push({ by: order.map(({ expr }) => expr.run(frame)), row: each });
        return false;
      });
      run.budget.step(sorted.length * Math.ceil(Math.log2(sorted.length + 1)));
      for (const each of sorted.sort((a, b) => compare(a.by, b.by)))
        if (last(each.row)) return limited ? limited.isStopped() : true;
      return false;
    },
  };
}
