import type { Event } from "@lethe/core";
import { expect, it } from "vitest";
import { subjectOf } from "./subject.ts";

const said = { title: "a run", details: "noise 2" };
const run: Event = { kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" };

it("a run grows by being run again, and counts once", () => {
  const { growth, whole } = subjectOf(said, run, {});
  expect(growth).toMatchObject({ of: "runs", count: 1n });
  expect(growth.at(growth.count).epsilon(1e-5)).toEqual(whole.epsilon(1e-5));
});

it("a repeated run grows by its own count", () => {
  const repeated: Event = { kind: "repeat", version: 1, count: "7", event: run };
  const { growth, whole } = subjectOf({ ...said, of: "steps" }, repeated, {});
  expect(growth).toMatchObject({ of: "steps", count: 7n });
  expect(growth.at(7n).epsilon(1e-5)).toEqual(whole.epsilon(1e-5));
});
