import { refused } from "../refuse.ts";
import { oids } from "../types/oids.ts";
import type { TypeTable } from "../types/type-table.ts";
import type { Value } from "../types/values.ts";

const numbers: ReadonlySet<number> = new Set<number>([
  oids.int2,
  oids.int4,
  oids.int8,
  oids.float4,
  oids.float8,
  oids.numeric,
]);
const names: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", "&", "|", "#", "<<", ">>"]);
const limits: Readonly<Record<number, number>> = { [oids.int2]: 2 ** 15, [oids.int4]: 2 ** 31 };
const int8Limit = 2n ** 63n;

/** Whether an operator computes with numbers alone. */
export function isArithmetic(name: string, left: number, right: number, _types: TypeTable): boolean {
  return names.has(name) && numbers.has(left) && numbers.has(right);
}

/** Returns what it does with two numbers. Errors: query.type for a division by zero and a result that its type does not hold. */
export function arithmetic(name: string, left: number, result: number): (a: Value, b: Value) => Value {
  if (result === oids.int8)
    return (a, b) => inInt8(wholeBig(name, BigInt(a as number | bigint), BigInt(b as number | bigint)));
  const limit = limits[result];
  if (limit === undefined) return (a, b) => fraction(name, Number(a), Number(b));
  const bits = left === oids.int2 ? 16 : 32;
  return (a, b) => {
    const value = wholeNumber(name, Number(a), Number(b), bits);
    return value >= -limit && value < limit ? value : refused("query.type", "integer out of range");
  };
}

function wholeNumber(name: string, a: number, b: number, bits: number): number {
  switch (name) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      // No integer is −0.
      return a * b + 0;
    case "/":
      return Math.trunc(a / nonZero(b)) + 0;
    case "%":
      return (a % nonZero(b)) + 0;
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "#":
      return a ^ b;
    case "<<":
      return bits === 16 ? ((a << (b & 31)) << 16) >> 16 : a << (b & 31);
    default:
      return a >> (b & 31);
  }
}

function wholeBig(name: string, a: bigint, b: bigint): bigint {
  switch (name) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / nonZero(b);
    case "%":
      return a % nonZero(b);
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "#":
      return a ^ b;
    case "<<":
      return BigInt.asIntN(64, a << (b & 63n));
    default:
      return a >> (b & 63n);
  }
}

function inInt8(value: bigint): bigint {
  return value >= -int8Limit && value < int8Limit ? value : refused("query.type", "bigint out of range");
}

function fraction(name: string, a: number, b: number): number {
  switch (name) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / nonZero(b);
    default:
      return a % nonZero(b);
  }
}

function nonZero<T extends number | bigint>(value: T): T {
  return Number(value) === 0 ? refused("query.type", "division by zero") : value;
}
