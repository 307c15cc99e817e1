import type { indexOf } from "../../relations/relation.ts";
import { isArray } from "../../resolve/coerce.ts";
import { keyOf } from "../../types/compare.ts";
import type { Tuple, Value } from "../../types/values.ts";
import type { Budget } from "../budget.ts";
import type { Equality, Expr } from "../expr.ts";
import type { Frame } from "../frame.ts";
import type { Level } from "../level.ts";

/** A condition, with the slots of its level that it names. */
export interface Conjunct {
  readonly expr: Expr;
  readonly slots: ReadonlySet<number>;
}

/** The rows of one source. */
export interface Leaf {
  readonly kind: "leaf";
  readonly slot: number;
  /** The slots that must stand before: those that a LATERAL names. */
  readonly needs: ReadonlySet<number>;
  /** About how many rows there are. */
  readonly size: number;
  readonly rows: (frame: Frame) => readonly Tuple[];
  /** Returns rows by the values of a column; null where the rows differ from one row outside to the next. */
  readonly index: ((column: number, frame: Frame) => ReturnType<typeof indexOf>) | null;
  /** About how many rows have the same value in a column; null where that is not known. */
  readonly rowsEach: ((column: number) => number) | null;
}

/** What an outer join adds: rows, or one row of NULLs where there are none. */
export interface Optional {
  readonly kind: "optional";
  readonly group: Group;
  readonly slots: ReadonlySet<number>;
  readonly needs: ReadonlySet<number>;
}

export interface Full {
  readonly kind: "full";
  readonly left: Group;
  readonly right: Group;
  readonly leftSlots: ReadonlySet<number>;
  readonly rightSlots: ReadonlySet<number>;
  readonly needs: ReadonlySet<number>;
  readonly on: readonly Conjunct[];
}

export type Item = Leaf | Optional | Full;

/** Sources of which every combination stands that meets all conditions. */
export interface Group {
  readonly items: readonly Item[];
  readonly conjuncts: readonly Conjunct[];
}

/** Gives each combination of rows; true where it was stopped. */
export type Scan = (frame: Frame, emit: (frame: Frame) => boolean) => boolean;

/** Puts the sources of a group in an order in which few rows are looked at, and each condition where it can first be decided. */
export function planGroup({ items, conjuncts }: Group, level: Level, before: ReadonlySet<number>): Scan {
  const placed = new Set(before);
  const rest = new Set(items);
  const open = new Set(conjuncts);
  const { budget } = level;
  const first = takeDecided(open, placed, budget);
  const steps: { readonly item: Item; readonly access: Access; readonly filters: readonly Expr[] }[] = [];
  while (rest.size > 0) {
    const next = cheapest(rest, placed, open, level);
    rest.delete(next.item);
    for (const slot of slotsOf(next.item)) placed.add(slot);
    const decided = takeDecided(open, placed, budget).filter((each) => each !== next.access.by);
    steps.push({ ...next, filters: decided.map(({ expr }) => expr) });
  }
  let scan: Scan = (frame, emit) => emit(frame);
  for (const { item, access, filters } of steps.reverse())
    scan = scanItem(item, access, filters, level, placed, scan);
  return first.length === 0
    ? scan
    : guarded(
        first.map(({ expr }) => expr),
        scan,
      );
}

function takeDecided(open: Set<Conjunct>, placed: ReadonlySet<number>, budget: Budget): readonly Conjunct[] {
  budget.step(open.size);
  const decided = [...open].filter(({ slots }) => isWithin(slots, placed));
  for (const each of decided) open.delete(each);
  return decided;
}

function isWithin(slots: ReadonlySet<number>, placed: ReadonlySet<number>): boolean {
  for (const slot of slots) if (!placed.has(slot)) return false;
  return true;
}

function slotsOf(item: Item): Iterable<number> {
  switch (item.kind) {
    case "leaf":
      return [item.slot];
    case "optional":
      return item.slots;
    case "full":
      return [...item.leftSlots, ...item.rightSlots];
  }
}

function guarded(filters: readonly Expr[], scan: Scan): Scan {
  return (frame, emit) => (passes(filters, frame) ? scan(frame, emit) : false);
}

function passes(filters: readonly Expr[], frame: Frame): boolean {
  for (const { run } of filters) if (run(frame) !== true) return false;
  return true;
}

/** How the rows of a leaf are found: all, or those whose column has a value. */
interface Access {
  readonly by: Conjunct | null;
  readonly column: number;
  readonly key: Expr | null;
  readonly isAny: boolean;
  readonly cost: number;
}

const all = (cost: number): Access => ({ by: null, column: 0, key: null, isAny: false, cost });

/** What an outer join costs beside a source: it is not begun while there is one that has fewer rows. */
const optionalCost = 8;

function cheapest(
  rest: ReadonlySet<Item>,
  placed: ReadonlySet<number>,
  open: ReadonlySet<Conjunct>,
  level: Level,
): { readonly item: Item; readonly access: Access } {
  let best: { readonly item: Item; readonly access: Access } | null = null;
  for (const item of rest) {
    if (!isWithin(item.needs, placed)) continue;
    const access = item.kind === "leaf" ? accessOf(item, placed, open, level) : all(optionalCost);
    if (best === null || access.cost < best.access.cost) best = { item, access };
  }
  // What needs a source stands behind it in the text, so that one is always left that needs nothing more.
  return best as NonNullable<typeof best>;
}

function accessOf(
  leaf: Leaf,
  placed: ReadonlySet<number>,
  open: ReadonlySet<Conjunct>,
  level: Level,
): Access {
  let best = all(leaf.size);
  if (leaf.index === null) return best;
  level.budget.step(1 + open.size);
  for (const conjunct of open) {
    const { equality } = conjunct.expr;
    if (!equality) continue;
    for (const { column, key, slots } of sidesOf(equality)) {
      if (column.column?.level !== level || column.column.slot !== leaf.slot || !isWithin(slots, placed))
        continue;
      const { at } = column.column;
      const each = leaf.rowsEach?.(at) ?? Math.sqrt(leaf.size);
      const cost = equality.isAny ? 4 * each : each;
      if (cost < best.cost) best = { by: conjunct, column: at, key, isAny: equality.isAny, cost };
    }
  }
  return best;
}

function sidesOf({ left, right, leftSlots, rightSlots, isAny }: Equality): readonly {
  readonly column: Expr;
  readonly key: Expr;
  readonly slots: ReadonlySet<number>;
}[] {
  const forward = { column: left, key: right, slots: rightSlots };
  return isAny ? [forward] : [forward, { column: right, key: left, slots: leftSlots }];
}

function scanItem(
  item: Item,
  access: Access,
  filters: readonly Expr[],
  level: Level,
  placed: ReadonlySet<number>,
  next: Scan,
): Scan {
  switch (item.kind) {
    case "leaf":
      return scanLeaf(item, access, filters, next);
    case "optional":
      return scanOptional(item, filters, level, placed, next);
    case "full":
      return scanFull(item, filters, level, next);
  }
}

function scanLeaf(leaf: Leaf, access: Access, filters: readonly Expr[], next: Scan): Scan {
  const { slot } = leaf;
  const found = rowsBy(leaf, access);
  return (frame, emit) => {
    const { budget } = frame.run;
    for (const row of found(frame)) {
      budget.step();
      frame.tuples[slot] = row;
      if (passes(filters, frame) && next(frame, emit)) return true;
    }
    return false;
  };
}

const none: readonly Tuple[] = [];

function rowsBy(leaf: Leaf, { key, column, isAny }: Access): Leaf["rows"] {
  const { index, rows } = leaf;
  if (key === null || index === null) return rows;
  const byOne = (value: Value, frame: Frame): readonly Tuple[] => {
    const wanted = keyOf(value);
    return wanted === null ? none : (index(column, frame).get(wanted) ?? none);
  };
  if (!isAny) return (frame) => byOne(key.run(frame), frame);
  return (frame) => {
    const list = key.run(frame);
    if (!isArray(list)) return none;
    const values = new Map(list.items.map((item) => [keyOf(item), item]));
    return [...values.values()].flatMap((item) => byOne(item, frame));
  };
}

function scanOptional(
  { group, slots }: Optional,
  filters: readonly Expr[],
  level: Level,
  placed: ReadonlySet<number>,
  next: Scan,
): Scan {
  const before = new Set([...placed].filter((slot) => !slots.has(slot)));
  const inner = planGroup(group, level, before);
  const own = [...slots];
  return (frame, emit) => {
    let isMatched = false;
    const isStopped = inner(frame, (joined) => {
      isMatched = true;
      return passes(filters, joined) && next(joined, emit);
    });
    if (isStopped || isMatched) return isStopped;
    for (const slot of own) frame.tuples[slot] = null;
    return passes(filters, frame) && next(frame, emit);
  };
}

function scanFull(
  { left, right, leftSlots, rightSlots, on }: Full,
  filters: readonly Expr[],
  level: Level,
  next: Scan,
): Scan {
  const nothing = new Set<number>();
  const [leftScan, rightScan] = [planGroup(left, level, nothing), planGroup(right, level, nothing)];
  const conditions = on.map(({ expr }) => expr);
  const collect = (scan: Scan, slots: ReadonlySet<number>, frame: Frame): (Tuple | null)[][] => {
    const kept: (Tuple | null)[][] = [];
    scan(frame, () => {
      frame.run.budget.hold(slots.size);
      kept.push([...slots].map((slot) => frame.tuples[slot] ?? null));
      return false;
    });
    return kept;
  };
  const put = (frame: Frame, slots: ReadonlySet<number>, rows: readonly (Tuple | null)[] | null): void => {
    let at = 0;
    for (const slot of slots) {
      frame.tuples[slot] = rows?.[at] ?? null;
      at += 1;
    }
  };
  return (frame, emit) => {
    const lefts = collect(leftScan, leftSlots, frame);
    const rights = collect(rightScan, rightSlots, frame);
    const matched = new Set<number>();
    const tell = (): boolean => passes(filters, frame) && next(frame, emit);
    for (const one of lefts) {
      let isMatched = false;
      for (const [at, other] of rights.entries()) {
        frame.run.budget.step();
        put(frame, leftSlots, one);
        put(frame, rightSlots, other);
        if (!passes(conditions, frame)) continue;
        isMatched = true;
        matched.add(at);
        if (tell()) return true;
      }
      put(frame, leftSlots, one);
      put(frame, rightSlots, null);
      if (!isMatched && tell()) return true;
    }
    for (const [at, other] of rights.entries()) {
      put(frame, leftSlots, null);
      put(frame, rightSlots, other);
      if (!matched.has(at) && tell()) return true;
    }
    return false;
  };
}
