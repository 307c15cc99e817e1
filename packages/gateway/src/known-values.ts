/**
 * Values that follow from what they were made of: those that were asked for last are kept, `most` of each owner for as long as the owner is there, so that none of them is made
 * twice. One that could not be made is made again.
 */
export class KnownValues<Owner extends object, Value> {
  readonly #kept = new WeakMap<Owner, Map<string, Value>>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the value that was made of the same parts before, or makes it. */
  async of(owner: Owner, parts: unknown, make: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(owner) ?? new Map<string, Value>();
    this.#kept.set(owner, kept);
    const key = exactText(parts);
    const value = kept.get(key) ?? (await make());
    // The newest stands last.
    kept.delete(key);
    kept.set(key, value);
    const [oldest] = kept.keys();
    if (kept.size > this.#most && oldest !== undefined) kept.delete(oldest);
    return value;
  }
}

/**
 * Returns a text that two values share only where they are the same to the last bit; what is undefined was not said.
 * @example exactText([1, -0, 1n]) // => '[{"number":"1"},{"number":"-0"},{"bigint":"1"}]'
 */
export function exactText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === "bigint") return { bigint: `${each}` };
    if (typeof each === "number") return { number: Object.is(each, -0) ? "-0" : `${each}` };
    return each;
  });
}
