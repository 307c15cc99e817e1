import type { Value } from "../types/values.ts";
import type { Frame } from "./frame.ts";
import type { Level } from "./level.ts";

/** A column of a source, by its place. */
export interface ColumnPlace {
  readonly level: Level;
  readonly slot: number;
  readonly at: number;
}

/** An expression that can be evaluated, with its type. */
export interface Expr {
  readonly type: number;
  readonly typmod: number;
  readonly run: (frame: Frame) => Value;
  /** The text of a literal whose type is not decided. */
  readonly literal?: string | null;
  /** The number of a parameter whose type is not decided, from 0. */
  readonly parameter?: number;
  /** Stated where the value is that of a column as it stands. */
  readonly column?: ColumnPlace;
  /** Stated where the whole is true of equal values alone. */
  readonly equality?: Equality;
  /** Whether the value is the same in every row and every execution. */
  readonly isConstant?: boolean;
  /** The columns of a row. */
  readonly fields?: readonly { readonly name: string; readonly type: number }[];
}

/** Two sides that must be equal, or one that must equal an item of the other. */
export interface Equality {
  readonly left: Expr;
  readonly right: Expr;
  readonly leftSlots: ReadonlySet<number>;
  readonly rightSlots: ReadonlySet<number>;
  readonly isAny: boolean;
}
