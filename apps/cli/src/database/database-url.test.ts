import { afterEach, expect, it, vi } from "vitest";
import { databaseUrl, requiredUrl } from "./database-url.ts";

const named = { kind: "postgres", urlVariable: "LETHE_TEST_URL" } as const;

afterEach(() => vi.unstubAllEnvs());

it("a database's URL is what the policy's variable holds, and none where the policy names no variable", () => {
  vi.stubEnv("LETHE_TEST_URL", "postgres://lethe@localhost/clinic");
  expect(databaseUrl(named)).toBe("postgres://lethe@localhost/clinic");
  expect(databaseUrl({ ...named, urlVariable: null })).toBeNull();
});

it.each([undefined, ""])("a variable that holds %j is refused by its name, with what to export", (url) => {
  vi.stubEnv("LETHE_TEST_URL", url);
  expect(() => databaseUrl(named)).toThrowError(
    expect.objectContaining({
      code: "engine.source",
      message: expect.stringContaining("LETHE_TEST_URL"),
      fix: expect.stringContaining("export LETHE_TEST_URL="),
      fields: { variable: "LETHE_TEST_URL" },
    }),
  );
});

it("a Trino has no other way to be named than its URL", () => {
  const trino = { kind: "trino", urlVariable: "LETHE_TEST_URL" } as const;
  vi.stubEnv("LETHE_TEST_URL", "https://lethe@trino/lake");
  expect(requiredUrl(trino)).toBe("https://lethe@trino/lake");
  expect(() => requiredUrl({ ...trino, urlVariable: null })).toThrow("names no environment variable");
  vi.stubEnv("LETHE_TEST_URL", "");
  expect(() => requiredUrl(trino)).toThrow("the environment variable LETHE_TEST_URL holds no URL");
});
