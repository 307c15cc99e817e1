import { describe, expect, it } from "vitest";
import {
  finitePair,
  gaussianPair,
  laplacePair,
  mixedPair,
  sampledPair,
  twoPointPair,
} from "../losses/pld/pairs/index.ts";
import { cellsOf, type Masses, mirrored, spreadToEdges } from "./loss-atoms.ts";

const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const sum = (masses: Float64Array): number => masses.reduce((a, b) => a + b, 0);
const near = (found: Float64Array, due: readonly number[]): void => {
  expect(found).toHaveLength(due.length);
  for (const [i, x] of due.entries())
    expect(Math.abs(found[i]! - x)).toBeLessThanOrEqual(1e-14 * Math.abs(x));
};
const none = { infiniteP: 0, infiniteQ: 0, left: 0 };
const masses = (p: readonly number[], q: readonly number[], edges: readonly number[]): Masses => ({
  ...none,
  p: Float64Array.from(p),
  q: Float64Array.from(q),
  edges: Float64Array.from(edges),
});

/** δ(ε) of atoms. */
function deltaOf({ p, q, infiniteP }: Masses, epsilon: number): number {
  return p.reduce((total, mass, i) => total + Math.max(0, mass - Math.exp(epsilon) * q[i]!), infiniteP);
}

describe("the cells of a pair", () => {
  it("of finitely many atoms are the atoms, in increasing loss, besides what is told in full", () => {
    const response = cellsOf(twoPointPair(1, 0.1));
    const [likely, unlikely] = [0.9 / (1 + Math.exp(-1)), 0.9 / (1 + Math.E)];
    near(response.p, [unlikely, likely]);
    near(response.q, [likely, unlikely]);
    near(response.edges, [-1, -1, 1, 1]);
    expect(response).toMatchObject({ infiniteP: 0.1, infiniteQ: 0.1, left: 0 });
    const finite = cellsOf(finitePair([0.5, 0.25, 0.125, 0.125], [0.25, 0.5, 0.25, 0]));
    // Two outcomes of one loss are one atom.
    near(finite.p, [0.375, 0.5]);
    near(finite.q, [0.75, 0.25]);
    near(finite.edges, [-Math.LN2, -Math.LN2, Math.LN2, Math.LN2]);
    expect(finite).toMatchObject({ infiniteP: 0.125, infiniteQ: 0 });
  });

  it("of no loss at all are one atom at 0", () => {
    for (const still of [twoPointPair(0, 0), gaussianPair(0), laplacePair(0)]) {
      expect(cellsOf(still)).toEqual(masses([1], [1], [0, 0]));
    }
  });

  it("add up what several parts put at one loss", () => {
    const pair = twoPointPair(1, 0);
    const parts = [
      { weight: 0.25, pair },
      { weight: 0.75, pair: twoPointPair(1, 0, false) },
    ];
    const [one, both] = [cellsOf(pair), cellsOf(mixedPair(parts))];
    near(both.p, [...one.p]);
    near(both.q, [...one.q]);
    near(both.edges, [...one.edges]);
  });

  it("of a density meet one another from the least loss to the greatest, each with its own masses", () => {
    const { p, q, edges, left } = cellsOf(laplacePair(1));
    expect(left).toBe(0);
    // The atom at −1 comes first, then the cells of the density between −1 and 1, then the atom at 1.
    expect(p.length).toBeGreaterThan(7000);
    expect(p.length).toBeLessThan(8100);
    const at = [...p.keys()];
    const atoms = at.filter((i) => edges[2 * i] === edges[2 * i + 1]);
    near(
      Float64Array.from(atoms, (i) => p[i]!),
      [0.5 * Math.exp(-1), 0.5],
    );
    near(
      Float64Array.from(atoms, (i) => q[i]!),
      [0.5, 0.5 * Math.exp(-1)],
    );
    near(
      Float64Array.from(atoms, (i) => edges[2 * i]!),
      [-1, 1],
    );
    const cells = at.filter((i) => !atoms.includes(i));
    for (const [k, i] of cells.entries()) {
      const [low, high] = [edges[2 * i]!, edges[2 * i + 1]!];
      if (k > 0) expect(low).toBe(edges[2 * cells[k - 1]! + 1]);
      // ∫ e^{(L − 1)/2}/4 dL, and the same with e^{−L} in it, over the part of the cell within ±1.
      const [from, to] = [Math.max(-1, low), Math.min(1, high)];
      const width = to - from;
      expect(p[i]! / (0.5 * Math.exp((from - 1) / 2) * Math.expm1(width / 2))).toBeCloseTo(1, 8);
      expect(q[i]! / (0.5 * Math.exp((-to - 1) / 2) * Math.expm1(width / 2))).toBeCloseTo(1, 8);
    }
    for (let i = 1; i < p.length; i++) expect(edges[2 * i]!).toBeGreaterThanOrEqual(edges[2 * i - 2]!);
  });

  it("of unbounded losses leave out no more than they say, 1e-30 at each end", () => {
    const { p, q, edges, left } = cellsOf(gaussianPair(2));
    expect(left).toBeGreaterThan(1e-31);
    expect(left).toBeLessThanOrEqual(1e-30);
    expect(sum(p)).toBeCloseTo(1, 12);
    expect(sum(q)).toBeCloseTo(1, 12);
    // P[Z < −reach] = 1e-30/2 and below: the losses are 2x − 2 for x from −reach to 2 + reach.
    const reach = Math.sqrt(-2 * Math.log(1e-30));
    expect(edges[0]).toBeCloseTo(-2 * reach - 2, 1);
    expect(edges.at(-1)).toBeCloseTo(2 * reach + 2, 1);
  });

  it("carry the more of what is left out on either side", () => {
    const pair = twoPointPair(1, 0);
    const names = ["pLow", "pHigh", "qLow", "qHigh"] as const;
    for (const name of names) {
      const emit: typeof pair.emit = (cells, tail, sink) => ({
        ...pair.emit(cells, tail, sink),
        [name]: 1e-40,
      });
      expect(cellsOf({ ...pair, emit }).left, name).toBe(1e-40);
    }
  });

  it("are refused for losses beyond ±600, and for losses known to less than 1e-12", () => {
    const [inside, outside] = [Math.exp(-599), Math.exp(-601)];
    for (const [p, q] of [
      [
        [inside, 1],
        [1, inside],
      ],
      [
        [0.5, 0.5],
        [2 * inside, 1],
      ],
      [
        [2 * inside, 1],
        [0.5, 0.5],
      ],
    ] as const)
      expect(cellsOf(finitePair(p, q)).p).toHaveLength(2);
    for (const [p, q] of [
      [
        [1, outside],
        [0.5, 0.5],
      ],
      [
        [0.5, 0.5],
        [1, outside],
      ],
    ] as const)
      expect(() => cellsOf(finitePair(p, q))).toThrow(invalid("losses"));
    // Nothing but ±∞ is left: no finite loss to speak of.
    expect(() => cellsOf(twoPointPair(1, 1))).toThrow(invalid("losses"));
    const pair = twoPointPair(1, 0);
    expect(cellsOf({ ...pair, lossError: 1e-12 }).p).toHaveLength(2);
    expect(() => cellsOf({ ...pair, lossError: 2e-12 })).toThrow(invalid("lossError"));
  });
});

describe("cells spread to their edges", () => {
  it("keep the mass of P and of Q, and leave atoms where they are", () => {
    // x at 0 and y at ln 2 with x + y = 0.3, x + y/2 = 0.2; the atoms beside it join them.
    const spread = spreadToEdges(
      masses([0.1, 0.3, 0.6], [0.1, 0.2, 0.3], [0, 0, 0, Math.LN2, Math.LN2, Math.LN2]),
    );
    near(spread.p, [0.2, 0.8]);
    near(spread.q, [0.2, 0.4]);
    expect([...spread.edges]).toEqual([0, 0, Math.LN2, Math.LN2]);
  });

  it("come in increasing loss, with no atom of no mass", () => {
    // All of the second cell lies at its upper edge.
    const spread = spreadToEdges(masses([0.5, 0.4], [0.1, 0.4], [2, 2, -1, 0]));
    expect([...spread.edges]).toEqual([0, 0, 2, 2]);
    near(spread.p, [0.4, 0.5]);
    near(spread.q, [0.4, 0.1]);
  });

  it("stay within their cell where rounding took their masses out of it", () => {
    const below = spreadToEdges(masses([0.1], [0.1000001], [0, Math.LN2]));
    near(below.p, [0.1]);
    expect([...below.edges]).toEqual([0, 0]);
    const above = spreadToEdges(masses([0.2], [0.0999999], [0, Math.LN2]));
    near(above.p, [0.2]);
    expect([...above.edges]).toEqual([Math.LN2, Math.LN2]);
  });

  it("pass on what is told in full and what is left out", () => {
    const ends = { infiniteP: 0.1, infiniteQ: 0.2, left: 1e-9 };
    expect(spreadToEdges({ ...masses([0.9], [0.8], [0, 0]), ...ends })).toMatchObject(ends);
  });

  it("lose no divergence: δ of Laplace noise is met from above in both directions, to a millionth", () => {
    const whole = spreadToEdges(cellsOf(laplacePair(1)));
    for (const one of [whole, mirrored(whole)]) {
      for (const epsilon of [0, 0.1001, 0.5003, 0.9, 0.9999]) {
        const truth = -Math.expm1((epsilon - 1) / 2);
        expect(deltaOf(one, epsilon)).toBeGreaterThanOrEqual(truth - 1e-12);
        expect(deltaOf(one, epsilon)).toBeLessThanOrEqual(truth + 1e-6);
      }
      expect(sum(one.p)).toBeCloseTo(1, 11);
      expect(sum(one.q)).toBeCloseTo(1, 11);
    }
  });
});

describe("the mirror of cells", () => {
  it("has P and Q exchanged and every loss negated", () => {
    const given = {
      ...masses([0.2, 0.3, 0.4], [0.5, 0.2, 0.05], [-1, -0.5, 0, 0.5, 2, 2]),
      ...{ infiniteP: 0.1, infiniteQ: 0.25, left: 1e-20 },
    };
    const other = mirrored(given);
    expect([...other.p]).toEqual([0.05, 0.2, 0.5]);
    expect([...other.q]).toEqual([0.4, 0.3, 0.2]);
    expect([...other.edges].map((x) => x + 0)).toEqual([-2, -2, -0.5, 0, 0.5, 1]);
    expect(other).toMatchObject({ infiniteP: 0.25, infiniteQ: 0.1, left: 1e-20 });
    expect(mirrored(other).p).toEqual(given.p);
    // The masses themselves stay as they were given.
    expect([...given.p]).toEqual([0.2, 0.3, 0.4]);
  });

  it("of a sample is what a unit that goes sees: no loss beyond −ln(1 − rate)", () => {
    const forward = cellsOf(sampledPair(twoPointPair(2, 0), 0.25));
    const { edges } = mirrored(forward);
    expect(edges.at(-1)).toBeCloseTo(-Math.log(1 - 0.25 * (1 - Math.exp(-2))), 12);
    expect(edges[0]).toBeCloseTo(-Math.log(1 + 0.25 * Math.expm1(2)), 12);
  });
});
