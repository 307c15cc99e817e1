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
