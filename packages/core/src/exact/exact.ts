import { LetheError } from "../errors/index.ts";

const contents = new WeakMap<object, unknown>();

function refuse(): never {
  throw new TypeError("an Exact cannot be logged, serialized or compared");
}

/** A true aggregate, sealed: it has no reader outside core/mechanisms, and refuses to be printed, serialized or compared. */
export class Exact<T> {
  declare private readonly phantom: T;

  toJSON(): never {
    return refuse();
  }
  toString(): never {
    return refuse();
  }
  valueOf(): never {
    return refuse();
  }
}

Object.defineProperty(Exact.prototype, Symbol.toPrimitive, { value: refuse });
Object.defineProperty(Exact.prototype, Symbol.for("nodejs.util.inspect.custom"), {
  value: () => "Exact(sealed)",
});

/** Seals what an engine computed. */
export function seal<T>(value: T): Exact<T> {
  const exact = new Exact<T>();
  contents.set(exact, value);
  return exact;
}

/** Opens an Exact. Only core/mechanisms and core's tape, for audits, may import this; the import-rule test enforces it. */
export function unseal<T>(exact: Exact<T>): T {
  if (!contents.has(exact)) throw new TypeError("not an Exact of this process");
  return contents.get(exact) as T;
}

/** What a function of a sealed value gives, sealed: of an Exact that is what is in it. */
export type Sealed<T> = Exact<T extends Exact<infer U> ? U : T>;

/**
 * Computes with what is sealed, and seals the result: the caller learns neither. Whatever `compute` throws becomes one constant error without a cause,
 * since what failed, and that it failed, may depend on the data. An Exact that it returns is sealed anew, so that which of several it
 * returned cannot be told.
 *
 * It does not hide the time and the memory that `compute` takes, nor that it failed. Nor can it keep `compute` from carrying the value out by
 * itself, into a variable, a file or a log: `compute` must be code of this house, total and without side effects, and never a caller's
 * callback. Errors: internal.invariant where it throws, or returns a promise, whose failure nobody here would see.
 * @example computeSealed(rows, ({ columns }) => columns.map(sumOnGrid)) // Exact<bigint[]>
 */
export function computeSealed<T, U>(exact: Exact<T>, compute: (value: T) => U): Sealed<U> {
  const value = unseal(exact);
  try {
    const result = compute(value);
    if (isPromise(result)) {
      result.then(undefined, () => undefined);
      throw new TypeError("a promise");
    }
    return seal(result instanceof Exact ? unseal(result) : result) as Sealed<U>;
  } catch {
    throw new LetheError("internal.invariant", "a computation with sealed values failed", {
      fix: "ask the owner of the data",
    });
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
