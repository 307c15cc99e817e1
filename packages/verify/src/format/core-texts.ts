import { type Event, eventFromJson, lossFromJson, type PrivacyLossText, parseRational } from "@lethe/core";
import type { SelectionRule } from "@lethe/core/accounting";
import { compare, zero } from "@lethe/core/numeric";
import { Misshapen, type Read } from "./shape.ts";

/** Reads with one of core's strict readers, keeps the texts as they were signed. */
function checkedBy<T>(check: (value: unknown) => void, due: string): Read<T> {
  return (value, path) => {
    try {
      check(value);
    } catch {
      throw new Misshapen(path, due);
    }
    return value as T;
  };
}

/** A rational > 0 as a text. */
export const positiveText: Read<string> = (value, path) => {
  const due = "a number above 0 as a text";
  if (typeof value !== "string") throw new Misshapen(path, due);
  return checkedBy<string>((text) => {
    if (!(compare(parseRational(text as string), zero) > 0)) throw new Misshapen(path, due);
  }, due)(value, path);
};

/** A rational of at least 0 as a text. */
export const rationalText: Read<string> = (value, path) => {
  const due = "a number of at least 0 as a text";
  if (typeof value !== "string") throw new Misshapen(path, due);
  return checkedBy<string>((text) => {
    if (!(compare(parseRational(text as string), zero) >= 0)) throw new Misshapen(path, due);
  }, due)(value, path);
};

export const event: Read<Event> = checkedBy(eventFromJson, "an event that this version knows");

export const loss: Read<PrivacyLossText> = checkedBy(lossFromJson, "a privacy loss");

export const selectionRule: Read<SelectionRule> = checkedBy(
  (rule) => eventFromJson({ kind: "select-groups", version: 1, rule, groups: "1" }),
  "a selection rule that this version knows",
);
