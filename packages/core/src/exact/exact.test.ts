import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { LetheError } from "../errors/index.ts";
import { computeSealed, Exact, seal, unseal } from "./exact.ts";
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

describe("computeSealed", () => {
  const constant = {
    code: "internal.invariant",
    message: "a computation with sealed values failed",
    fix: "ask the owner of the data",
  };

  test("computes with what is sealed, and seals the result", () => {
    const length = computeSealed(sealed(), ({ total }) => total.length);
    expect(length).toBeInstanceOf(Exact);
    expect(() => `${length}`).toThrow(new TypeError(refusal));
    expect(unseal(length)).toBe(secret.length);
    expect(unseal(computeSealed(seal(undefined), (value) => value))).toBeUndefined();
  });

  test("seals an Exact that it is given anew, so that which of two it was is not told", () => {
    const [few, many] = [seal("few"), seal("many")];
    const chosen = computeSealed(sealed(), ({ total }) => (total === secret ? many : few));
    expect(chosen).not.toBe(many);
    expect(unseal(chosen)).toBe("many");
    const same: Exact<string> = chosen;
    expect(same).toBe(chosen);
  });

  test.each<readonly [string, (value: { readonly total: string }) => unknown]>([
    [
      "an error that quotes a value",
      ({ total }) => {
        throw new RangeError(`cannot add ${total}`);
      },
    ],
    [
      "a coded error",
      ({ total }) => {
        throw new LetheError("parameter.invalid", total, { fix: total, fields: { total } });
      },
    ],
    [
      "a value that is thrown",
      ({ total }) => {
        throw total;
      },
    ],
    ["a sealed value that is printed", (value) => `${seal(value)}`],
    ["memory that is not there", ({ total }) => new Float64Array(total.length * 2 ** 52)],
    ["a promise", async ({ total }) => total],
    ["a promise that fails", ({ total }) => Promise.reject(new Error(total))],
    ["an Exact that nobody sealed", () => new Exact<string>()],
  ])("makes one constant of %s", (_name, compute) => {
    let thrown: unknown;
    try {
      computeSealed(sealed(), compute);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(LetheError);
    expect(thrown).toMatchObject(constant);
    expect((thrown as LetheError).cause).toBeUndefined();
    expect((thrown as LetheError).fields).toEqual({});
    expect(inspect(thrown, { depth: null, showHidden: true })).not.toContain(secret);
  });

  test("refuses what is no Exact before anything is computed", () => {
    const forged = { total: secret } as unknown as Exact<{ readonly total: string }>;
    const compute = (): never => expect.unreachable();
    expect(() => computeSealed(forged, compute)).toThrow(new TypeError("not an Exact of this process"));
  });
});
