import { LetheError } from "@lethe/core/errors";

/** The refusal of a network; `place` is where in its description. */
export function unfit(place: string, message: string, fix: string): LetheError {
  return new LetheError("model.invalid", `${place} ${message}`, { fix, fields: { place } });
}

/** The largest size, count or step of a description: beyond it nothing fits into memory, and products stay exact. */
const largest = 2 ** 23;

/** Reads an object of just these keys. Errors: model.invalid for anything else, and for a key that is not known. */
export function readObject(
  value: unknown,
  keys: readonly string[],
  place: string,
): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw unfit(place, "is not an object", `write an object of ${keys.join(", ")}`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw unfit(place, `has an unknown key ${JSON.stringify(unknown)}`, `write only ${keys.join(", ")}`);
  return Object.fromEntries(Object.entries(value));
}

/** Reads a whole number from `least` on; `otherwise` is taken where nothing stands. */
export function readSize(value: unknown, place: string, least = 1, otherwise?: number): number {
  const size = value === undefined ? otherwise : value;
  if (typeof size === "number" && Number.isInteger(size) && size >= least && size <= largest) return size;
  throw unfit(
    place,
    `must be a whole number from ${least} to ${largest}`,
    `write a whole number from ${least} to ${largest}`,
  );
}
