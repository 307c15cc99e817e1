import { refused } from "../refuse.ts";
import { oids } from "../types/oids.ts";
import type { Value } from "../types/values.ts";
import type { ScalarFunctions } from "./call.ts";

const number = (value: Value | undefined): number => Number(value);

const mostOf: Readonly<Record<number, number>> = { [oids.int2]: 32_767, [oids.int4]: 2_147_483_647 };

function outOfRange(): never {
  return refused("query.type", "integer out of range");
}

/** Functions of numbers. */
export const numberFunctions: ScalarFunctions = {
  abs: ([value], { result }) => {
    if (typeof value === "bigint") return value === -(2n ** 63n) ? outOfRange() : value < 0n ? -value : value;
    const size = Math.abs(number(value));
    const most = mostOf[result];
    return most !== undefined && size > most ? outOfRange() : size;
  },
  mod: ([value, by]) => {
    if (Number(by) === 0) return refused("query.type", "division by zero");
    return typeof value === "bigint"
      ? value % BigInt(by as number | bigint)
      : (number(value) % number(by)) + 0;
  },
  ceil: ([value]) => Math.ceil(number(value)) + 0,
  ceiling: ([value]) => Math.ceil(number(value)) + 0,
  floor: ([value]) => Math.floor(number(value)),
  trunc: ([value]) => Math.trunc(number(value)) + 0,
  round: ([value, digits = 0]) => {
    const scale = 10 ** Math.min(30, Math.max(-30, number(digits)));
    return (Math.sign(number(value)) * Math.round(Math.abs(number(value)) * scale)) / scale + 0;
  },
  sign: ([value]) => Math.sign(number(value)),
  power: ([base, exponent]) => number(base) ** number(exponent),
  pow: ([base, exponent]) => number(base) ** number(exponent),
  sqrt: ([value]) =>
    number(value) < 0
      ? refused("query.type", "cannot take square root of a negative number")
      : Math.sqrt(number(value)),
};
