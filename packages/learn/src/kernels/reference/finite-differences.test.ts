import { doubleAt, elementAt } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { readNetwork } from "../network/read-network.ts";
import { made, numbers, rowOf } from "../testing/made-rows.ts";
import { smallNetworks } from "../testing/networks.ts";
import { referenceLayer, referenceNetwork } from "./reference-network.ts";

const step = 1e-5;

/** The slope of a function along one entry of x, from both sides. */
function slope(of: (x: Float64Array) => number, x: Float64Array, at: number): number {
  const moved = (by: number): number => {
    const there = x.slice();
    there[at] = doubleAt(x, at) + by;
    return of(there);
  };
  return (moved(step) - moved(-step)) / (2 * step);
}

const inner = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, value, i) => sum + value * doubleAt(b, i), 0);

/** The largest difference between a gradient and the slopes, over the largest slope. */
function worst(gradient: Float64Array, of: (x: Float64Array) => number, x: Float64Array): number {
  const slopes = x.map((_, i) => slope(of, x, i));
  const largest = slopes.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-3);
  return (
    slopes.reduce((most, value, i) => Math.max(most, Math.abs(value - doubleAt(gradient, i))), 0) / largest
  );
}

const placed = Object.entries(smallNetworks).flatMap(([name, network]) =>
  readNetwork(network).layers.map((layer, at) => [`${name}, ${at}: ${layer.layer.layer}`, layer] as const),
);

describe("the derivative of a layer is that of finite differences", () => {
  it("for every layer that there is", () => {
    expect(new Set(placed.map(([, { layer }]) => layer.layer)).size).toBe(11);
  });

  it.each(placed)("%s", (_name, place) => {
    const of = numbers(11);
    const { layer, input, parameters } = place;
    const entries = layer.layer === "embedding" ? layer.entries : null;
    const size = input.reduce((product, length) => product * length, 1);
    const x = Float64Array.from({ length: size }, () => (entries === null ? of.spread() : of.below(entries)));
    const w = Float64Array.from({ length: parameters }, () => of.spread());
    const built = referenceLayer(place);
    const y = built.forward(x, w);
    const dy = y.map(() => of.spread());
    const dw = new Float64Array(parameters);
    const dx = built.backward({ x, y, dy, w, dw });
    expect(worst(dw, (there) => inner(built.forward(x, there), dy), w)).toBeLessThan(1e-6);
    if (entries === null)
      expect(worst(dx, (there) => inner(built.forward(there, w), dy), x)).toBeLessThan(1e-6);
    // Gradients are added to what stands there.
    const twice = dw.slice();
    built.backward({ x, y, dy, w, dw: twice });
    for (const [i, value] of twice.entries()) expect(value / 2).toBeCloseTo(doubleAt(dw, i), 10);
  });
});

describe("the gradient of a row is that of its loss", () => {
  it.each(Object.entries(smallNetworks))("%s", (_name, description) => {
    const { network, rows, weights } = made(description, [1], 3);
    const reference = referenceNetwork(network);
    const [input, labels] = rowOf(network, rows, 0);
    const gradient = reference.gradient(weights, input, labels);
    expect(worst(gradient, (there) => reference.loss(there, input, labels), weights)).toBeLessThan(1e-5);
  });
});

describe("a row that means nothing has a gradient of 0", () => {
  const cases: readonly (readonly [string, number | null, number | null])[] = [
    ["softmax regression", Number.NaN, null],
    ["softmax regression", Number.POSITIVE_INFINITY, null],
    ["softmax regression", null, 10],
    ["softmax regression", null, -1],
    ["softmax regression", null, 0.5],
    ["logistic regression", null, 2],
    ["logistic regression", null, Number.NaN],
    ["perceptron", null, Number.NaN],
    ["words in a row", 9, null],
    ["words in a row", -1, null],
    ["words in a row", 1.5, null],
  ];
  it.each(cases)("%s: input %s, label %s", (name, entry, label) => {
    const description = elementAt(
      Object.entries(smallNetworks).filter(([own]) => own === name),
      0,
    )[1];
    const { network, rows, weights } = made(description, [1], 3);
    const [input, labels] = rowOf(network, rows, 0);
    expect(
      referenceNetwork(network)
        .gradient(weights, input, labels)
        .some((g) => g !== 0),
    ).toBe(true);
    if (entry !== null) input[1] = entry;
    if (label !== null) labels[0] = label;
    expect(
      referenceNetwork(network)
        .gradient(weights, input, labels)
        .every((g) => g === 0),
    ).toBe(true);
  });
});
