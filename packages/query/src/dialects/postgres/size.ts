import { elementAt } from "@lethe/core/numeric";
import type { Domain } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { gridFor } from "../../grid/grid.ts";

/**
 * How small the values of a numeric expression can be. PostgreSQL raises where a product or quotient underflows; what
 * this proves needs no guard.
 */
export interface Size {
  /** Every value is a multiple of 2^quantum. */
  readonly quantum: number;
  /** Every value but 0 has a magnitude of at least 2^least. */
  readonly least: number;
}

/** The smallest double is 2^−1074. */
const smallest = -1074;
const anything: Size = { quantum: smallest, least: smallest };

export function sizeOf(expression: Expression): Size {
  const { domain } = expression;
  if (domain.type !== "number") return anything;
  const found = structural(expression);
  const quantum = Math.max(smallest, found.quantum, domain.integer ? 0 : smallest);
  return { quantum, least: Math.max(quantum, found.least, awayFromZero(domain)) };
}

/** An upper bound of log₂ of the magnitude. */
export function largestExponent(domain: Domain): number {
  if (domain.type !== "number" || domain.bounds === null) return 1024;
  const magnitude = Math.max(Math.abs(domain.bounds[0]), Math.abs(domain.bounds[1]));
  return magnitude === 0 ? smallest : Math.floor(Math.log2(magnitude)) + 2;
}

function awayFromZero(domain: Domain): number {
  if (domain.type !== "number" || domain.bounds === null) return smallest;
  const [lo, hi] = domain.bounds;
  const nearest = lo > 0 ? lo : hi < 0 ? -hi : 0;
  // One less than the logarithm, which may be rounded up.
  return nearest > 0 ? Math.floor(Math.log2(nearest)) - 1 : smallest;
}

function structural(expression: Expression): Size {
  switch (expression.kind) {
    case "literal":
      return typeof expression.value === "number" ? literalSize(expression.value) : anything;
    case "column":
      return columnSize(expression.domain);
    case "released":
      return anything;
    case "case":
      return coarsest([...expression.branches.map(({ then }) => then), expression.otherwise].map(sizeOf));
    case "call":
      return callSize(expression);
  }
}

function callSize({ operator, args }: Extract<Expression, { kind: "call" }>): Size {
  const [a = anything, b = anything] = args.map(sizeOf);
  switch (operator) {
    // Rounding to a double keeps what is coarser than its last place.
    case "+":
    case "-": {
      const quantum = Math.min(a.quantum, b.quantum);
      return { quantum, least: quantum };
    }
    case "*":
      return {
        quantum: Math.max(smallest, a.quantum + b.quantum),
        least: Math.max(smallest, a.least + b.least),
      };
    case "/":
      return {
        quantum: smallest,
        least: Math.max(smallest, a.least - largestExponent(elementAt(args, 1).domain) - 1),
      };
    case "negate":
    case "abs":
    case "nullif":
      return a;
    case "least":
    case "greatest":
    case "coalesce":
      return coarsest(args.map(sizeOf));
    case "sqrt":
      return { quantum: smallest, least: Math.floor(a.least / 2) - 1 };
    case "floor":
    case "ceil":
    case "trunc":
    case "sign":
    case "length":
    case "to-integer":
      return { quantum: 0, least: 0 };
    default:
      return anything;
  }
}

function coarsest(sizes: readonly Size[]): Size {
  return {
    quantum: Math.min(...sizes.map(({ quantum }) => quantum)),
    least: Math.min(...sizes.map(({ least }) => least)),
  };
}

/** A clean column with bounds lies on its grid. */
function columnSize(domain: Domain): Size {
  if (domain.type !== "number" || domain.bounds === null || domain.integer) return anything;
  const { exponent } = gridFor(domain.bounds, false);
  return { quantum: exponent, least: exponent };
}

function literalSize(value: number): Size {
  if (value === 0) return { quantum: 1023, least: 1023 };
  let quantum = smallest;
  // Doubling is exact, and so is its reverse above the subnormals.
  for (let exponent = 1023; exponent > smallest; exponent -= 1) {
    const scaled = value / 2 ** exponent;
    if (Number.isInteger(scaled) && scaled * 2 ** exponent === value) {
      quantum = exponent;
      break;
    }
  }
  return { quantum, least: Math.max(quantum, Math.floor(Math.log2(Math.abs(value))) - 1) };
}
