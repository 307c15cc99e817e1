import { expect, it } from "vitest";
import { linesAtOnce } from "./lines-at-once.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("writes all lines of a turn by one call, in their order, and none twice", async () => {
  const written: string[] = [];
  const log = linesAtOnce((text) => void written.push(text));
  log({ at: 1 });
  log({ at: 2, text: "a\nb" });
  expect(written).toEqual([]);
  await turn();
  expect(written).toEqual(['{"at":1}\n{"at":2,"text":"a\\nb"}']);
  await turn();
  log({ at: 3 });
  await turn();
  expect(written.slice(1)).toEqual(['{"at":3}']);
});
