import { afterEach, expect, test, vi } from "vitest";
import { removedAtEnd } from "./removed-at-end.ts";

const listening = (): number[] =>
  ["SIGINT", "SIGTERM", "SIGHUP", "exit"].map((event) => process.listenerCount(event));

afterEach(() => vi.restoreAllMocks());

test("removes once, and listens only while something stands", () => {
  const before = listening();
  const removed: string[] = [];
  const [one, two] = ["one", "two"].map((name) => removedAtEnd(() => removed.push(name)));
  expect(listening()).toEqual(before.map((count) => count + 1));
  one!();
  one!();
  expect(removed).toEqual(["one"]);
  two!();
  expect(removed).toEqual(["one", "two"]);
  expect(listening()).toEqual(before);
});

test("a signal removes what stands, though one thing cannot be, and ends the process as it does", () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  const before = listening();
  const removed: string[] = [];
  removedAtEnd(() => {
    throw new Error("busy");
  });
  const late = removedAtEnd(() => removed.push("a folder"));
  process.emit("SIGTERM", "SIGTERM");
  late();
  expect(removed).toEqual(["a folder"]);
  expect(kill.mock.calls).toEqual([[process.pid, "SIGTERM"]]);
  expect(listening()).toEqual(before);
});

test("what stands when the process ends is removed then, and not again", () => {
  const removed: string[] = [];
  const late = removedAtEnd(() => removed.push("a folder"));
  const atExit = process.listeners("exit").at(-1) as () => void;
  atExit();
  expect(removed).toEqual(["a folder"]);
  late();
  expect(removed).toEqual(["a folder"]);
  process.off("exit", atExit);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.off(signal, process.listeners(signal).at(-1)!);
});
