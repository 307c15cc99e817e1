import { describe, expect, it } from "vitest";
import type { Event } from "../events/event.ts";
import { eventFromJson } from "../events/event-json.ts";
import { sharedEvents } from "./shared-events.ts";

const noise = (sigma: string): unknown => ({ kind: "gaussian", version: 1, sigma, sensitivity: "1" });
const compose = (...events: readonly unknown[]): unknown => ({ kind: "compose", version: 1, events });
const repeat = (count: string, event: unknown): unknown => ({ kind: "repeat", version: 1, count, event });
const mix = (...parts: readonly (readonly [string, unknown])[]): unknown => ({
  kind: "mix",
  version: 1,
  parts: parts.map(([weight, event]) => ({ weight, event })),
});
/** The parts of a composition, each its own object until they are shared. */
const shared = (...events: readonly unknown[]): readonly Event[] => {
  const whole = sharedEvents(eventFromJson(structuredClone(compose(...events))));
  return whole.kind === "compose" ? whole.events : [];
};

describe("equal parts", () => {
  it.each([
    ["leaves", noise("1")],
    ["repetitions", repeat("3", noise("1"))],
    ["compositions", compose(noise("1"), noise("2"))],
    ["mixtures", mix(["1/2", noise("1")], ["1/2", noise("2")])],
    ["nested ones", compose(repeat("2", mix(["1", compose(noise("1"))])))],
  ])("are one object: %s", (_, part) => {
    const [first, second] = shared(part, structuredClone(part));
    expect(first).toBe(second);
    expect(first).toEqual(eventFromJson(part));
  });

  it("are one object inside different parts too", () => {
    const [alone, twice, many] = shared(noise("1"), repeat("2", noise("1")), compose(noise("1"), noise("2")));
    expect((twice as { event: Event }).event).toBe(alone);
    expect((many as { events: readonly Event[] }).events[0]).toBe(alone);
  });
});

it.each([
  ["another σ", noise("1"), noise("2")],
  ["another count", repeat("2", noise("1")), repeat("3", noise("1"))],
  ["another part", repeat("2", noise("1")), repeat("2", noise("2"))],
  ["another order", compose(noise("1"), noise("2")), compose(noise("2"), noise("1"))],
  ["one part more", compose(noise("1")), compose(noise("1"), noise("1"))],
  [
    "another weight",
    mix(["1/2", noise("1")], ["1/2", noise("2")]),
    mix(["1/3", noise("1")], ["2/3", noise("2")]),
  ],
  ["a composition for a mixture", compose(noise("1")), mix(["1", noise("1")])],
  ["a part for the whole", noise("1"), compose(noise("1"))],
])("%s is another event, and stays as it was", (_, one, other) => {
  const [first, second] = shared(one, other);
  expect(first).not.toBe(second);
  expect([first, second]).toEqual([eventFromJson(one), eventFromJson(other)]);
});
