import { ratio } from "@lethe/core";
import { expect, it } from "vitest";
import type { Output } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import { chooseEvent } from "./choose-event.ts";

const judged = { fresh: 1000, reach: 3 };
/** 1,000 outputs, so many of them 0 and the others 1. */
const outputs = (zeros: number): readonly Output[] =>
  Array.from({ length: 1000 }, (_, at) => [at % 1000 < zeros ? 0 : 1]);

it.each([
  [900, 100, "the low outputs", 0],
  [100, 900, "the high outputs", 1],
])("of %d and %d zeros in a thousand the event is %s", (left, right, _, inside) => {
  const event = chooseEvent(pureClaim(ratio(1n, 10n)), outputs(left), outputs(right), judged);
  expect([0, 1].filter((value) => event.holds([value]))).toEqual([inside]);
});
