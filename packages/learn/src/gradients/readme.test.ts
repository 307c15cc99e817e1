import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { planPrice, privatePlan } from "./index.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

test("the README's plan costs what it says", () => {
  const [, snippet = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const [, code = "", said = ""] = /^([\s\S]*)planPrice\(plan\); \/\/ => (.*)$/m.exec(snippet) ?? [];
  const run = new Function("privatePlan", "planPrice", `${code}; return planPrice(plan);`);
  const { epsilon, delta } = run(privatePlan, planPrice) as ReturnType<typeof planPrice>;
  expect(said).toBe(`{ epsilon: ${epsilon.toString().slice(0, 6)}…, delta: ${delta} }`);
});
