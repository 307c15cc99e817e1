import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { Exact, seal, unseal } from "./exact.ts";
import { seal as publicSeal } from "./index.ts";

const secret = "salary-81234";
const sealed = (): Exact<{ readonly total: string }> => seal({ total: secret });
const refusal = "an Exact cannot be logged, serialized or compared";

describe("an Exact refuses", () => {
  test.each<readonly [string, (exact: Exact<unknown>) => unknown]>([
    ["toJSON", (exact) => exact.toJSON()],
    ["toString", (exact) => exact.toString()],
    ["valueOf", (exact) => exact.valueOf()],
    ["String()", (exact) => String(exact)],
    ["Number()", (exact) => Number(exact)],
    ["a template", (exact) => `${exact}`],
    ["JSON.stringify", (exact) => JSON.stringify(exact)],
    ["JSON.stringify of what holds it", (exact) => JSON.stringify({ rows: [exact] })],
    ["<", (exact) => (exact as unknown as number) < 1],
    [">=", (exact) => (exact as unknown as number) >= (sealed() as unknown as number)],
    // biome-ignore lint/suspicious/noDoubleEquals: loose equality is what would open it
    ["== with a value", (exact) => (exact as unknown) == secret],
    ["use as a key", (exact) => ({ [exact as unknown as string]: 1 })],
  ])("%s", (_name, use) => {
    expect(() => use(sealed())).toThrow(new TypeError(refusal));
  });
});

describe("an Exact shows nothing", () => {
  test("to an inspector, at any depth and with hidden properties", () => {
    expect(inspect(sealed())).toBe("Exact(sealed)");
    const shown = inspect({ rows: [sealed()] }, { depth: null, showHidden: true });
    expect(shown).toContain("Exact(sealed)");
    expect(shown).not.toContain(secret);
    expect(inspect(sealed(), { customInspect: false, showHidden: true, depth: null })).not.toContain(secret);
  });
  test("in its properties or a copy", () => {
    expect(Reflect.ownKeys(sealed())).toEqual([]);
    expect({ ...sealed() }).toEqual({});
    expect(Reflect.ownKeys(structuredClone(sealed()) as object)).toEqual([]);
  });
});

describe("unseal", () => {
  test("gives back the very value that was sealed", () => {
    const value = { total: 5n };
    expect(unseal(publicSeal(value))).toBe(value);
    expect(unseal(seal(undefined))).toBeUndefined();
  });
  test.each<readonly [string, () => object]>([
    ["a look-alike", () => ({ total: secret })],
    ["an Exact that nobody sealed", () => new Exact()],
    ["a copy", () => Object.assign(Object.create(Exact.prototype) as object, sealed())],
    ["a heir", () => Object.create(sealed()) as object],
  ])("refuses %s", (_name, foreign) => {
    expect(() => unseal(foreign() as Exact<unknown>)).toThrow(new TypeError("not an Exact of this process"));
  });
});
