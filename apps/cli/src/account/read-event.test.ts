import { beforeEach, expect, it, vi } from "vitest";
import { readEvent } from "./read-event.ts";

const readText = vi.hoisted(() => vi.fn<() => string>());
vi.mock("../workspace.ts", async (original) => ({ ...(await original<object>()), readText }));
beforeEach(() => readText.mockReset());

const gaussian = { kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" };

it("an event is read in Lethe's own words, and in dp_accounting's with names or as bare lists", () => {
  readText.mockReturnValue(JSON.stringify(gaussian));
  expect(readEvent("plan.json", "replace-one")).toEqual(gaussian);
  for (const named of [
    { class_name: "GaussianDpEvent", noise_multiplier: 2 },
    ["dp_accounting.dp_event", "GaussianDpEvent", 2],
  ]) {
    readText.mockReturnValue(JSON.stringify(named));
    expect(readEvent("plan.json", "add-or-remove-one")).toMatchObject({ kind: "gaussian", sigma: "2" });
  }
});

it.each([
  ["[", "plan.json is not JSON"],
  ["null", "event must be a JSON object"],
  ["7", "event must be a JSON object"],
  ['"text"', "event must be a JSON object"],
])("the text %s is refused: %s", (text, message) => {
  readText.mockReturnValue(text);
  expect(() => readEvent("plan.json", "replace-one")).toThrowError(
    expect.objectContaining({ code: "parameter.invalid", message: expect.stringContaining(message) }),
  );
});

it("a text of more than 64 Mi characters is refused before it is read", () => {
  const most = " ".repeat(64 * 1024 * 1024);
  readText.mockReturnValue(most);
  expect(() => readEvent("plan.json", "replace-one")).toThrow("plan.json is not JSON");
  readText.mockReturnValue(`${most} `);
  expect(() => readEvent("plan.json", "replace-one")).toThrow("plan.json is longer than 67108864 characters");
});
