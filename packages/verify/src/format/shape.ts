/** Reads one value of untrusted JSON, or throws {@link Misshapen}. `path` names the place for people. */
export type Read<T> = (value: unknown, path: string) => T;

/** The JSON is not what the format says; names the place and what belongs there, never what was found. */
export class Misshapen extends Error {
  readonly path: string;
  constructor(path: string, due: string) {
    super(`${path || "the release"} must be ${due}`);
    this.path = path;
  }
}

type Fields = Readonly<Record<string, Read<unknown>>>;
type Shaped<F extends Fields> = { readonly [K in keyof F]: ReturnType<F[K]> };
type Members = Readonly<Record<string, unknown>>;

function members(value: unknown, path: string): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Misshapen(path, "an object");
  }
  return value as Members;
}

/** An object with exactly these members. */
export function object<F extends Fields>(fields: F): Read<Shaped<F>> {
  const known = Object.keys(fields);
  return (value, path) => {
    const found = members(value, path);
    for (const name of Object.keys(found)) {
      if (!known.includes(name)) throw new Misshapen(path, `an object of ${known.join(", ")} alone`);
    }
    // Own members only: "constructor" and its kind are inherited by every object.
    return Object.fromEntries(
      known.map((name) => [
        name,
        fields[name]!(Object.hasOwn(found, name) ? found[name] : undefined, `${path}.${name}`),
      ]),
    ) as Shaped<F>;
  };
}

/** An object with these members, and those of `extra` that are there. */
export function extended<F extends Fields, E extends Fields>(
  fields: F,
  extra: E,
): Read<Shaped<F> & Partial<Shaped<E>>> {
  return (value, path) => {
    const found = members(value, path);
    const there = Object.entries(extra).filter(([name]) => Object.hasOwn(found, name));
    return object({ ...fields, ...Object.fromEntries(there) })(value, path) as Shaped<F> & Partial<Shaped<E>>;
  };
}

/** A union, told apart by the text in one member. */
export function tagged<V extends Fields>(tag: string, variants: V): Read<ReturnType<V[keyof V]>> {
  return (value, path) => {
    const name = members(value, path)[tag];
    if (typeof name !== "string" || !Object.hasOwn(variants, name)) {
      throw new Misshapen(`${path}.${tag}`, `one of ${Object.keys(variants).join(", ")}`);
    }
    return variants[name]!(value, path) as ReturnType<V[keyof V]>;
  };
}

/** An object used as a map. */
export function map<T>(read: Read<T>): Read<Readonly<Record<string, T>>> {
  return (value, path) =>
    Object.fromEntries(
      Object.entries(members(value, path)).map(([name, member]) => [name, read(member, `${path}.${name}`)]),
    );
}

export function list<T>(read: Read<T>): Read<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new Misshapen(path, "a list");
    return value.map((item, index) => read(item, `${path}[${index}]`));
  };
}

export function pair<T>(read: Read<T>): Read<readonly [T, T]> {
  return (value, path) => {
    if (!Array.isArray(value) || value.length !== 2) throw new Misshapen(path, "a list of two");
    return [read(value[0], `${path}[0]`), read(value[1], `${path}[1]`)];
  };
}

export function nullable<T>(read: Read<T>): Read<T | null> {
  return (value, path) => (value === null ? null : read(value, path));
}

/** A member that may be missing. */
export function optional<T>(read: Read<T>): Read<T | undefined> {
  return (value, path) => (value === undefined ? undefined : read(value, path));
}

export function literal<const T extends string | number | boolean>(...values: readonly T[]): Read<T> {
  return (value, path) => {
    if (!values.includes(value as T)) throw new Misshapen(path, `one of ${values.join(", ")}`);
    return value as T;
  };
}

/** What is there only where it is true. */
export const yes: Read<true> = (value, path) => {
  if (value !== true) throw new Misshapen(path, "true, or not be there");
  return value;
};

/** A text that matches. */
export function matching(pattern: RegExp, due: string): Read<string> {
  return (value, path) => {
    if (typeof value !== "string" || !pattern.test(value)) throw new Misshapen(path, due);
    return value;
  };
}

export const text: Read<string> = matching(/^/, "a text");
/** An exact integer as a text. */
export const integerText: Read<string> = matching(/^-?\d{1,400}$/, "an integer as a text");
/** 64 hex digits. */
export const sha256Text: Read<string> = matching(/^[0-9a-f]{64}$/, "a sha256 in hex");

export const boolean: Read<boolean> = (value, path) => {
  if (typeof value !== "boolean") throw new Misshapen(path, "true or false");
  return value;
};

/** A finite number; JSON has no other. */
export const number: Read<number> = (value, path) => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Misshapen(path, "a number");
  return value;
};

/** An integer ≥ least that a double holds exactly. */
export function integer(least: number = Number.MIN_SAFE_INTEGER): Read<number> {
  return (value, path) => {
    if (!Number.isSafeInteger(value) || !((value as number) >= least)) {
      throw new Misshapen(path, `an integer ≥ ${least}`);
    }
    return value as number;
  };
}

/** A number of the closed unit interval. */
export const fraction: Read<number> = (value, path) => {
  const found = number(value, path);
  if (!(found >= 0 && found <= 1)) throw new Misshapen(path, "between 0 and 1");
  return found;
};

/** Any of several scalars. */
export const scalar: Read<string | number | boolean | null> = (value, path) => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  return number(value, path);
};
