import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestServer } from "./test-server.mjs";
import { Workplace } from "./workplace.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const file = "packages/core/src/samplers/bernoulli.ts";
const tests = ["packages/core/src/samplers/bernoulli-kept.test.ts"];
const options = { changed: [file], bail: true, timeoutMs: 600_000 };

let workplace;
let server;
beforeAll(() => {
  workplace = new Workplace(root);
  server = new TestServer(workplace.folder);
  // Two tests, of which --bail runs one where that fails.
  workplace.add(
    tests[0],
    `import { expect, it } from "vitest";
import { bernoulli } from "./bernoulli.ts";
it("is never for 0", () => expect(bernoulli({ num: 0n, den: 1n }, { word: () => 0 })).toBe(false));
it("is never for 0, again", () => expect(bernoulli({ num: 0n, den: 1n }, { word: () => 0 })).toBe(false));
`,
  );
});
afterAll(() => {
  server.stop();
  workplace.remove();
});

describe("a Vitest that is kept", () => {
  it("sees each fault, and none of those before it", async () => {
    const passed = { outcome: "passed", by: null, red: [] };
    expect(await server.run(tests, options)).toEqual(passed);
    for (const _ of [1, 2]) {
      const restore = workplace.change({ file, from: "< p.num", to: "<= p.num" });
      expect(await server.run(tests, options)).toEqual({
        outcome: "failed",
        by: "is never for 0",
        red: tests,
      });
      restore();
      expect(await server.run(tests, options)).toEqual(passed);
    }
  });

  it("runs the tests that are named, and says where none is", async () => {
    const restore = workplace.change({ file, from: "< p.num", to: "<= p.num" });
    expect(await server.run(tests, { ...options, named: "again" })).toMatchObject({
      by: "is never for 0, again",
    });
    restore();
    expect(await server.run(tests, { ...options, named: "no such" })).toMatchObject({ outcome: "broken" });
    expect(await server.run(tests, options)).toMatchObject({ outcome: "passed" });
  });

  it("tells a text that is no program from a failure", async () => {
    const restore = workplace.change({ file, from: "< p.num", to: "<< << p.num" });
    expect(await server.run(tests, options)).toMatchObject({ outcome: "broken" });
    restore();
    expect(await server.run(tests, options)).toMatchObject({ outcome: "passed" });
  });

  it("ends tests that do not end, and goes on with the next", async () => {
    const restore = workplace.change({ file, from: "return ", to: "for (;;); return " });
    expect(await server.run(tests, { ...options, timeoutMs: 5000 })).toMatchObject({
      ...{ outcome: "broken", by: "the tests do not end", timedOut: true },
    });
    restore();
    expect(await server.run(tests, options)).toMatchObject({ outcome: "passed" });
  });
});
