import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { showProgress } from "./show-progress.ts";

const { stderr } = process;
const wasTerminal = stderr.isTTY;
let said: string[] = [];

beforeEach(() => {
  said = [];
  vi.spyOn(stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  stderr.isTTY = wasTerminal;
});

it.each([
  [0, "░".repeat(24)],
  [3, `${"█".repeat(9)}${"░".repeat(15)}`],
  [8, "█".repeat(24)],
])("progress at %d of 8 fills its share of the bar, on a line that it writes again", (done, bar) => {
  stderr.isTTY = true;
  const progress = showProgress(8);
  progress.at(done, "laws");
  progress.end();
  expect(said).toEqual([`\r\u001b[K${bar} ${done}/8 laws`, "\r\u001b[K"]);
});

it("progress of nothing is an empty bar", () => {
  stderr.isTTY = true;
  showProgress(0).at(0, "laws");
  expect(said).toEqual([`\r\u001b[K${"░".repeat(24)} 0/0 laws`]);
});

it("progress says nothing where standard error is no terminal", () => {
  stderr.isTTY = false;
  const progress = showProgress(8);
  progress.at(4, "laws");
  progress.end();
  expect(said).toEqual([]);
});
