import { expect, test } from "vitest";
import { invalidParameter, LetheError } from "./lethe-error.ts";

test("what is serialized is the refusal, without the stack or the offset", () => {
  const error = new LetheError("parameter.invalid", "scale must be > 0", {
    fix: "give a scale > 0",
    fields: { name: "scale" },
    offset: 7,
  });
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({
    error: {
      code: "parameter.invalid",
      message: "scale must be > 0",
      fix: "give a scale > 0",
      fields: { name: "scale" },
    },
  });
  expect(error.offset).toBe(7);
});

test("a refused parameter is shown cut to 60 characters", () => {
  const error = invalidParameter("scale", "9".repeat(500), "> 0");
  expect(error.message).toBe(`scale must be > 0, got ${"9".repeat(60)}`);
  expect(error.fields).toEqual({ name: "scale", domain: "> 0" });
  expect(error.fix).toBe("give scale a value that is > 0");
  expect(error.code).toBe("parameter.invalid");
});

test("a refusal without fields or a place has none, and is an error by name", () => {
  const error = new LetheError("ledger.busy", "the ledger is locked", { fix: "try again" });
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe("LetheError");
  expect(error.fields).toEqual({});
  expect(error.offset).toBeUndefined();
});
