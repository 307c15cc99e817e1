import { expect, test } from "vitest";
import { draftsOf, dropDrafts } from "./drafts.ts";

/** A window's store that keeps texts of at most so many characters. */
class SmallStore implements Storage {
  readonly held = new Map<string, string>();
  readonly #most: number;
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }
  get length(): number {
    return this.held.size;
  }
  key(at: number): string | null {
    return [...this.held.keys()][at] ?? null;
  }
  getItem(key: string): string | null {
    return this.held.get(key) ?? null;
  }
  setItem(key: string, text: string): void {
    if (text.length > this.#most) throw new DOMException("full", "QuotaExceededError");
    this.held.set(key, text);
  }
  removeItem(key: string): void {
    this.held.delete(key);
  }
  clear(): void {
    this.held.clear();
  }
}

test("a draft is there after a reload, and gone when it is dropped", () => {
  const store = new SmallStore();
  draftsOf("ada", store).set("ask", "SELECT 1");
  const again = draftsOf("ada", store);
  expect(again.get("ask")).toBe("SELECT 1");
  again.drop("ask");
  expect([again.get("ask"), draftsOf("ada", store).get("ask")]).toEqual([null, null]);
});

test("nobody finds the drafts of another, also of a name that begins alike", () => {
  const store = new SmallStore();
  draftsOf("ada", store).set("policy", "secret plans");
  for (const other of ["ad", "Ada", "ben", ""]) {
    const theirs = draftsOf(other, store);
    expect(theirs.get("policy")).toBeNull();
    expect([...store.held.values()].join()).not.toContain("secret");
    draftsOf("ada", store).set("policy", "secret plans");
  }
});

test("what is dropped leaves nothing, and nothing else is touched", () => {
  const store = new SmallStore();
  store.setItem("of another page", "kept");
  const drafts = draftsOf("ada", store);
  for (let at = 0; at < 5; at += 1) drafts.set(`place ${at}`, "text");
  dropDrafts(store);
  expect([...store.held]).toEqual([["of another page", "kept"]]);
});

test("where nothing or no more is kept, a draft lives as long as the page, and no older one comes back", () => {
  for (const store of [null, new SmallStore(10)]) {
    const drafts = draftsOf("ada", store);
    drafts.set("ask", "short");
    drafts.set("ask", "longer than ten characters");
    expect(drafts.get("ask")).toBe("longer than ten characters");
    expect(draftsOf("ada", store).get("ask")).toBeNull();
  }
});
