import type { OverAggregate, OverFrame, OverPlace, OverWindow } from "@lethe/query";
import { hidden, type Seen, type SeenRow, seenValue } from "../derive/released/released-value.ts";
import { aggregateValue, givenBy, isNumberAggregate } from "./aggregate-value.ts";
import type { MadeColumn } from "./made-rows.ts";
import { isNumberExpression } from "./number-expression.ts";
import { type PlacedRows, placedRows } from "./placed-rows.ts";
import type { Spend } from "./unmade.ts";
import { placesTogether, valueTexts } from "./value-texts.ts";

/** Returns the value of a window function for each row; hidden where rounding may have decided on the order. Errors: Unmade. */
export function windowValues(window: OverWindow, rows: readonly SeenRow[], spend: Spend): readonly Seen[] {
  const values: Seen[] = rows.map(() => hidden);
  for (const partition of partitionsOf(window, rows)) {
    const members = partition.flatMap((place) => (rows[place] ? [rows[place]] : []));
    const placed = placedRows(members, window.orderBy);
    if (placed === null) continue;
    for (const [at, value] of valuesIn(window, members, placed, spend).entries()) {
      const place = partition[placed.places[at] ?? -1];
      if (place !== undefined) values[place] = value;
    }
  }
  return values;
}

/** Whether the value of a window is a number. */
export function isNumberWindow(
  { function: name, arguments: [first] }: OverWindow,
  columns: readonly MadeColumn[],
): boolean {
  if (isAggregate(name)) return isNumberAggregate(name, first ?? null, columns);
  return first === undefined || !ofArgument.has(name) || isNumberExpression(first, columns);
}

const ofArgument: ReadonlySet<OverPlace> = new Set(["lag", "lead", "first_value", "last_value", "nth_value"]);

function partitionsOf({ partitionBy }: OverWindow, rows: readonly SeenRow[]): readonly (readonly number[])[] {
  if (partitionBy.length === 0) return [[...rows.keys()]];
  return placesTogether(valueTexts(rows.map((row) => partitionBy.map((by) => seenValue(by, row)))));
}

/** Returns the values of a partition's rows in their order. */
function valuesIn(
  window: OverWindow,
  members: readonly SeenRow[],
  { places, isPeer }: PlacedRows,
  spend: Spend,
): readonly Seen[] {
  const rows = places.flatMap((place) => (members[place] ? [members[place]] : []));
  const peers = peersOf(isPeer);
  const { function: name } = window;
  return isAggregate(name)
    ? aggregatesIn(name, window, rows, peers, spend)
    : rows.map((_, at) => placeFunctions[name]({ window, rows, peers, at }));
}

/** The rows that are equal in the order to each row: the place of the first, the place behind the last, and how many such sets come before. */
interface Peers {
  readonly first: number;
  readonly end: number;
  readonly before: number;
}

function peersOf(isPeer: readonly boolean[]): readonly Peers[] {
  const starts = isPeer.flatMap((is, at) => (is ? [] : [at]));
  return starts.flatMap((first, before) => {
    const end = starts[before + 1] ?? isPeer.length;
    return Array.from({ length: end - first }, () => ({ first, end, before }));
  });
}

/** Returns the first place of a row's frame, and the place behind its last. */
function frameOf(
  { peers: isOfPeers, from, to }: OverFrame,
  peers: readonly Peers[],
  at: number,
): readonly [number, number] {
  const own = isOfPeers ? peers[at] : undefined;
  const start = from === null ? 0 : own ? own.first : Math.max(0, at + from);
  const end = to === null ? peers.length : own ? own.end : Math.min(peers.length, at + to + 1);
  return [start, Math.max(start, end)];
}

function aggregatesIn(
  name: OverAggregate,
  { arguments: [first], where, frame }: OverWindow,
  rows: readonly SeenRow[],
  peers: readonly Peers[],
  spend: Spend,
): readonly Seen[] {
  const given = rows.map((row) => givenBy(first ?? null, where, row));
  // Rows of one frame, as all are that have no end, have one value.
  let [from, behind] = [0, 0];
  let value = aggregateValue(name, []);
  return rows.map((_, at) => {
    const [start, end] = frameOf(frame, peers, at);
    if (start !== from || end !== behind) {
      spend(end - start);
      value = aggregateValue(name, given.slice(start, end).flat());
      [from, behind] = [start, end];
    }
    return value;
  });
}

/** A row at its place among the rows of its partition. */
interface Placed {
  readonly window: OverWindow;
  readonly rows: readonly SeenRow[];
  readonly peers: readonly Peers[];
  readonly at: number;
}

/** Returns an argument of the call for a row. */
function argumentOf({ window, rows, at }: Placed, place: number): Seen {
  const [expression, row] = [window.arguments[place], rows[at]];
  return expression && row ? seenValue(expression, row) : hidden;
}

function shifted(placed: Placed, sign: 1 | -1): Seen {
  const distance = argumentOf(placed, 1);
  if (distance === hidden || distance === null) return distance;
  const at = placed.at + sign * Number(distance);
  return argumentOf(placed.rows[at] ? { ...placed, at } : placed, placed.rows[at] ? 0 : 2);
}

/** Returns the value of the row so many places behind the start of the frame, or before its end. */
function inFrame(placed: Placed, placeIn: (start: number, end: number) => number): Seen {
  const [start, end] = frameOf(placed.window.frame, placed.peers, placed.at);
  const at = placeIn(start, end);
  return at >= start && at < end ? argumentOf({ ...placed, at }, 0) : null;
}

/** Applies a function to a number from 1 on. Errors: RangeError for any other. */
function counted(number: Seen, apply: (count: number) => Seen): Seen {
  if (number === hidden || number === null) return number;
  const count = Number(number);
  if (!(Number.isSafeInteger(count) && count >= 1))
    throw new RangeError("a window function is called with a number that is no integer from 1 on");
  return apply(count);
}

/** The first sets have one row more where the rows do not come out even. */
function tile(at: number, rows: number, tiles: number): number {
  const [size, larger] = [Math.floor(rows / tiles), rows % tiles];
  const inLarger = larger * (size + 1);
  return at < inLarger ? Math.floor(at / (size + 1)) + 1 : larger + Math.floor((at - inLarger) / size) + 1;
}

const placeFunctions: Readonly<Record<OverPlace, (placed: Placed) => Seen>> = {
  row_number: ({ at }) => at + 1,
  rank: ({ peers, at }) => peersAt(peers, at).first + 1,
  dense_rank: ({ peers, at }) => peersAt(peers, at).before + 1,
  percent_rank: ({ peers, at, rows }) =>
    rows.length === 1 ? 0 : peersAt(peers, at).first / (rows.length - 1),
  cume_dist: ({ peers, at, rows }) => peersAt(peers, at).end / rows.length,
  ntile: (placed) => counted(argumentOf(placed, 0), (tiles) => tile(placed.at, placed.rows.length, tiles)),
  lag: (placed) => shifted(placed, -1),
  lead: (placed) => shifted(placed, 1),
  first_value: (placed) => inFrame(placed, (start) => start),
  last_value: (placed) => inFrame(placed, (_, end) => end - 1),
  nth_value: (placed) =>
    counted(argumentOf(placed, 1), (count) => inFrame(placed, (start) => start + count - 1)),
};

const isAggregate = (name: OverAggregate | OverPlace): name is OverAggregate =>
  !Object.hasOwn(placeFunctions, name);

function peersAt(peers: readonly Peers[], at: number): Peers {
  return peers[at] ?? { first: at, end: at + 1, before: at };
}
