declare const compiled: unique symbol;

/**
 * Engine SQL that reads rows for training, made from a plan, and nothing else: only ./compile-rows.ts makes one, so text of a user never
 * reaches an engine. Result columns, in order: u, where units may have several rows, and x0 … (columns). All are doubles, NaN for NULL. Units
 * are numbered u = 1, 2, …, and rows come in their order.
 */
export interface CompiledRows {
  readonly [compiled]: true;
  readonly dialect: string;
  readonly sql: string;
  /** The number of columns, u not counted. */
  readonly columns: number;
  /** Whether the first result column is u; otherwise every row is a unit. */
  readonly numbersUnits: boolean;
  /** Whether the statement has one parameter, $1: the secret seed of the keyed hash (text). */
  readonly needsSeed: boolean;
}

/** Makes compiled rows. For ./compile-rows.ts alone. */
export function brandRows(rows: Omit<CompiledRows, typeof compiled>): CompiledRows {
  return rows as CompiledRows;
}
