import { elementAt } from "@lethe/core/numeric";
import type { OverFrame, OverOrder, OverPlace, OverWindow, PostExpression } from "@lethe/query";
import { compareValues, type PostValue } from "../post/evaluate.ts";
import { aggregateCells, isAggregate } from "./aggregate-cells.ts";
import { isExact } from "./computed-cell.ts";
import { madeCell, type OverCell, type OverRow, valueIn } from "./over-cell.ts";
import { keyOf } from "./row-keys.ts";

type CellOf = (expression: PostExpression, row: OverRow) => OverCell;

/** Rows, and what noise decided of them. */
interface WindowedRows {
  readonly rows: readonly OverRow[];
  readonly isChosen: boolean;
  readonly isShuffled: boolean;
}

/** Returns the value of a window for each of the rows, in their order. */
export function windowCells(
  window: OverWindow,
  { rows, isChosen: areChosen, isShuffled }: WindowedRows,
  cellOf: CellOf,
): readonly OverCell[] {
  const cells: OverCell[] = [];
  const partitions = new Map<string, number[]>();
  rows.forEach((row, at) => {
    const key = keyOf(window.partitionBy.map((part) => valueIn(row, part)));
    const partition = partitions.get(key);
    if (partition) partition.push(at);
    else partitions.set(key, [at]);
  });
  // Which rows stand where hangs on noise as soon as one of them is placed by a noisy value, or stands where it stood among its equals.
  const placed = [...window.partitionBy, ...window.orderBy.map(({ by }) => by)];
  const isByNoise = !rows.every((row) => placed.every((part) => isExact(part, row)));
  const takesEquals = window.frame.peers && isAggregate(window.function);
  const isChosen = areChosen || isByNoise || (isShuffled && !takesEquals);
  for (const places of partitions.values()) {
    const ordered = orderedPlaces(places, rows, window.orderBy);
    const partition = new Partition(
      window,
      ordered.places.map((at) => elementAt(rows, at)),
      ordered.peers,
      isChosen,
      cellOf,
    );
    ordered.places.forEach((at, place) => {
      cells[at] = partition.cell(place);
    });
  }
  return cells;
}

/** Returns rows in an order, those that it leaves equal as they stood. */
export function orderedRows(rows: readonly OverRow[], orderBy: readonly OverOrder[]): readonly OverRow[] {
  const { places } = orderedPlaces(
    rows.map((_, at) => at),
    rows,
    orderBy,
  );
  return places.map((at) => elementAt(rows, at));
}

/** Returns places in an order, and for each the number of those that it is equal with. */
function orderedPlaces(
  places: readonly number[],
  rows: readonly OverRow[],
  orderBy: readonly OverOrder[],
): { readonly places: readonly number[]; readonly peers: readonly number[] } {
  const keyed = places.map((at) => ({
    at,
    by: orderBy.map(({ by }) => valueIn(elementAt(rows, at), by)),
  }));
  const compare = (a: readonly PostValue[], b: readonly PostValue[]): number => {
    for (const [at, { descending, nullsFirst }] of orderBy.entries()) {
      const [x, y] = [a[at] ?? null, b[at] ?? null];
      if (x === null || y === null) {
        if (x === y) continue;
        return (x === null) === nullsFirst ? -1 : 1;
      }
      const order = compareValues(x, y) ?? 0;
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
  keyed.sort((a, b) => compare(a.by, b.by));
  const peers: number[] = [];
  keyed.forEach(({ by }, place) => {
    const before = keyed[place - 1];
    const last = peers[place - 1] ?? 0;
    peers.push(before && compare(before.by, by) === 0 ? last : last + 1);
  });
  return { places: keyed.map(({ at }) => at), peers };
}

/** One partition of a window: its rows in order, and the number of the group of equal rows that each is in. */
class Partition {
  readonly #window: OverWindow;
  readonly #rows: readonly OverRow[];
  readonly #peers: readonly number[];
  readonly #isChosen: boolean;
  readonly #cellOf: CellOf;

  constructor(
    window: OverWindow,
    rows: readonly OverRow[],
    peers: readonly number[],
    isChosen: boolean,
    cellOf: CellOf,
  ) {
    this.#window = window;
    this.#rows = rows;
    this.#peers = peers;
    this.#isChosen = isChosen;
    this.#cellOf = cellOf;
  }

  cell(place: number): OverCell {
    const { function: name } = this.#window;
    if (isAggregate(name)) return this.#aggregated(name, place);
    return this.#placed[name](place);
  }

  #aggregated(name: Parameters<typeof aggregateCells>[0], place: number): OverCell {
    const {
      arguments: [argument],
      where,
    } = this.#window;
    const within = this.#within(place).filter((row) => where === null || valueIn(row, where) === true);
    if (argument === undefined) return madeCell(within.length);
    const isChosen = this.#isChosen || (where !== null && !within.every((row) => isExact(where, row)));
    return aggregateCells(
      name,
      within.map((row) => this.#cellOf(argument, row)),
      false,
      isChosen,
    );
  }

  /** The rows of the frame. */
  #within(place: number): readonly OverRow[] {
    const { from, to } = this.#ends(place, this.#window.frame);
    // A frame may lie before the first row, or behind the last.
    return this.#rows.slice(from, Math.max(from, to + 1));
  }

  #ends(place: number, { peers, from, to }: OverFrame): { readonly from: number; readonly to: number } {
    const last = this.#rows.length - 1;
    const group = elementAt(this.#peers, place);
    return {
      from: from === null ? 0 : peers ? this.#peers.indexOf(group) : Math.max(0, place + from),
      to: to === null ? last : peers ? this.#peers.lastIndexOf(group) : Math.min(last, place + to),
    };
  }

  /** The value of an argument in another row, where which row that is does not hang on noise with all that is known of it. */
  #from(row: OverRow | undefined, argument: PostExpression | undefined): OverCell {
    if (!row || !argument) return madeCell(null);
    const cell = this.#cellOf(argument, row);
    if (this.#isChosen) return madeCell(cell.value);
    const { copied: _, ...rest } = cell;
    return rest;
  }

  #constant(at: number): number {
    const argument = this.#window.arguments[at];
    return argument?.kind === "literal" ? Number(argument.value) : 1;
  }

  #moved(place: number, sign: 1 | -1): OverCell {
    const [value, , otherwise] = this.#window.arguments;
    const at = place + sign * this.#constant(1);
    const row = this.#rows[at];
    return row ? this.#from(row, value) : this.#from(this.#rows[place], otherwise);
  }

  readonly #placed: Readonly<Record<OverPlace, (place: number) => OverCell>> = {
    row_number: (place) => madeCell(place + 1),
    rank: (place) => madeCell(this.#rank(place)),
    dense_rank: (place) => madeCell(elementAt(this.#peers, place)),
    percent_rank: (place) =>
      madeCell(this.#rows.length === 1 ? 0 : (this.#rank(place) - 1) / (this.#rows.length - 1)),
    cume_dist: (place) =>
      madeCell((this.#peers.lastIndexOf(elementAt(this.#peers, place)) + 1) / this.#rows.length),
    ntile: (place) => madeCell(tile(place, this.#rows.length, this.#constant(0))),
    lag: (place) => this.#moved(place, -1),
    lead: (place) => this.#moved(place, 1),
    first_value: (place) => this.#from(this.#within(place)[0], this.#window.arguments[0]),
    last_value: (place) => this.#from(this.#within(place).at(-1), this.#window.arguments[0]),
    nth_value: (place) => this.#from(this.#within(place)[this.#constant(1) - 1], this.#window.arguments[0]),
  };

  #rank(place: number): number {
    return this.#peers.indexOf(elementAt(this.#peers, place)) + 1;
  }
}

/** Returns the number of a row's part, of parts that differ by one row at most, the larger ones first. */
function tile(place: number, rows: number, parts: number): number {
  const least = Math.floor(rows / parts);
  const larger = rows % parts;
  const inLarger = larger * (least + 1);
  return place < inLarger
    ? Math.floor(place / (least + 1)) + 1
    : larger + Math.floor((place - inLarger) / Math.max(1, least)) + 1;
}
