import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { showTimeLeft } from "./show-time-left.ts";

const { stderr } = process;
const wasTerminal = stderr.isTTY;
let said: string[] = [];
let clock = 0;

beforeEach(() => {
  said = [];
  clock = 1000;
  vi.spyOn(stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  stderr.isTTY = wasTerminal;
});

it("tells the share that is done, and the rest at the pace of its own step", () => {
  stderr.isTTY = true;
  const progress = showTimeLeft(() => clock);
  progress.at("checking people.csv", 0);
  clock += 60_000;
  progress.at("writing rows", 0);
  clock += 10_000;
  progress.at("writing rows", 0.25);
  clock += 30_000;
  progress.at("writing rows", 1);
  progress.end();
  const line = (filled: number, words: string): string =>
    `\r\u001b[K${"█".repeat(filled)}${"░".repeat(24 - filled)} ${words}`;
  expect(said).toEqual([
    line(0, "0 % checking people.csv"),
    line(0, "0 % writing rows"),
    line(6, "25 % writing rows, 30 seconds left"),
    line(24, "100 % writing rows, a second left"),
    "\r\u001b[K",
  ]);
});

it("says nothing where standard error is no terminal", () => {
  stderr.isTTY = false;
  const progress = showTimeLeft(() => clock);
  progress.at("writing rows", 0.5);
  progress.end();
  expect(said).toEqual([]);
});
