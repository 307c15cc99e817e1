import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mediaTypes, pickFormat } from "./negotiate.ts";

describe("the header Accept", () => {
  test.each([
    [undefined, "json"],
    ["", "json"],
    ["*/*", "json"],
    ["application/*", "json"],
    ["text/*", "csv"],
    ["text/csv", "csv"],
    ["TEXT/CSV", "csv"],
    ["text/csv;q=0.5, application/json", "json"],
    ["text/csv, application/json", "csv"],
    ["application/json;q=0, */*", "csv"],
    ["application/json;q=0.1, */*;q=0.5", "csv"],
    ["application/*;q=0, */*", "csv"],
    ["application/*, application/json;q=0", "arrow"],
    ["*/*;q=0.1, application/vnd.apache.arrow.stream", "arrow"],
    ["text/event-stream", "events"],
    ["text/event-stream;q=0, text/*", "csv"],
    ["*/*, text/event-stream;q=0.2", "json"],
    ["text/html, */*;q=0.8", "json"],
    ["*/*;q=0", null],
    ["application/json;q=0", null],
    ["application/json;q=none", null],
    ["application/json;q=", null],
    ["application/json;q=2", null],
    ["application/json;q=-1", null],
    ["image/png", null],
    ["json", null],
  ] as const)("%j gives %j", (accept, format) => {
    expect(pickFormat(accept)).toBe(format);
  });

  test("never gives what a client says that it does not take, nor a stream to who did not name it", () => {
    const types = [...Object.values(mediaTypes), "*/*", "text/*", "application/*", "image/png"];
    const range = fc.record({ type: fc.constantFrom(...types), q: fc.constantFrom("0", "0.3", "1") });
    fc.assert(
      fc.property(fc.uniqueArray(range, { selector: ({ type }) => type, minLength: 1 }), (ranges) => {
        const format = pickFormat(ranges.map(({ type, q }) => `${type};q=${q}`).join(","));
        const told = new Map(ranges.map(({ type, q }) => [type, Number(q)]));
        const weight = (each: keyof typeof mediaTypes): number => {
          const own = told.get(mediaTypes[each]);
          if (own !== undefined || each === "events") return own ?? 0;
          const [kind] = mediaTypes[each].split("/");
          return told.get(`${kind}/*`) ?? told.get("*/*") ?? 0;
        };
        const most = Math.max(...(Object.keys(mediaTypes) as (keyof typeof mediaTypes)[]).map(weight));
        expect(format === null ? 0 : weight(format)).toBe(most);
      }),
    );
  });
});
