import { createHash } from "node:crypto";

/** PostgreSQL gives its own objects the numbers below. */
const first = 16_384;
/** The numbers between two tables: for the table, its row type and the type of arrays of these. */
const step = 16;
const places = 2 ** 19;
/** The constraints of a table stand above all tables, one for each of the 1,600 columns that PostgreSQL allows, and more. */
const firstConstraint = 2 ** 24;
const constraintsEach = 2_048;

/** The numbers that stand for a table, or for whatever else has a name. */
export interface Numbers {
  readonly relation: number;
  readonly rowType: number;
  readonly arrayType: number;
  /** Returns the number of the constraint that a column is not NULL. */
  constraint(column: number): number;
}

/**
 * Gives each name numbers that follow from the name, so that a table keeps its own as the policy grows. Where two names meet, the later in order takes the next place.
 * Errors: none; more names than 2^19 do not end.
 */
export function numbersOf(names: readonly string[]): ReadonlyMap<string, Numbers> {
  const taken = new Set<number>();
  const numbers = new Map<string, Numbers>();
  for (const name of [...names].sort()) {
    let place = createHash("sha256").update(name).digest().readUInt32BE(0) % places;
    while (taken.has(place)) place = (place + 1) % places;
    taken.add(place);
    const relation = first + step * place;
    numbers.set(name, {
      relation,
      rowType: relation + 2,
      arrayType: relation + 1,
      constraint: (column) => firstConstraint + constraintsEach * place + (column % constraintsEach),
    });
  }
  return numbers;
}
