import { type Dashboard, type DashboardStore, mostDashboards } from "@lethe/serve";
import { afterEach, describe, expect, it } from "vitest";

export interface DashboardStoreSubject {
  readonly store: DashboardStore;
  /** Another handle on the same dashboards; null for a store that has none. */
  readonly open: (() => Promise<DashboardStore>) | null;
  dispose(): Promise<void>;
}

/** A dashboard that differs by its number. */
export function contractDashboard(
  number: number,
  person = "Ada",
  readers: readonly string[] = [],
): Dashboard {
  return {
    id: `d${number}`,
    person,
    version: 1,
    changedAt: 1_700_000_000_000 + number,
    name: `süd ${number}`,
    questions: [{ title: "all", sql: "SELECT COUNT(*) FROM people", epsilon: number % 2 ? null : "1/3" }],
    readers,
  };
}

/** What every store of dashboards must do. */
export function dashboardStoreContract(name: string, make: () => Promise<DashboardStoreSubject>): void {
  describe(`dashboards in ${name}`, () => {
    const subjects: DashboardStoreSubject[] = [];
    const opened = async (): Promise<DashboardStoreSubject> => {
      const subject = await make();
      subjects.push(subject);
      return subject;
    };
    afterEach(async () => {
      for (const subject of subjects.splice(0)) await subject.dispose();
    });

    it("are a person's own first and then those of others that they may read, newest first, in any case", async () => {
      const { store } = await opened();
      const [old, recent] = [contractDashboard(1), contractDashboard(4)];
      const [shown, hidden] = [contractDashboard(2, "bob", ["ADA", "ada"]), contractDashboard(3, "bob")];
      for (const each of [old, shown, hidden, recent]) expect(await store.put(each)).toBe("kept");
      expect(await store.visibleTo("aDa")).toEqual([recent, old, shown]);
      expect(await store.visibleTo("BOB")).toEqual([hidden, shown]);
      expect(await store.visibleTo("eve")).toEqual([]);
      expect(await store.byId(hidden.id)).toEqual(hidden);
      expect(await store.byId("d9")).toBeNull();
    });

    it("are replaced whole, and removed", async () => {
      const { store } = await opened();
      const first = contractDashboard(1, "bob", ["ada", "eve"]);
      await store.put(first);
      const changed = { version: 2, name: "other", changedAt: first.changedAt + 9, readers: ["ada"] };
      const second = { ...first, ...changed };
      expect(await store.put(second)).toBe("kept");
      expect(await store.visibleTo("ada")).toEqual([second]);
      expect(await store.visibleTo("eve")).toEqual([]);
      await store.remove(first.id);
      expect(await store.byId(first.id)).toBeNull();
      expect(await store.visibleTo("ada")).toEqual([]);
    });

    it("are replaced on top of the version that was read alone, by one of those who do it at once", async () => {
      const { store, open } = await opened();
      const other = open ? await open() : store;
      const first = contractDashboard(1);
      await store.put(first);
      expect(await store.put({ ...first, name: "new" })).toBe("changed meanwhile");
      expect(await store.put({ ...first, version: 3 })).toBe("changed meanwhile");
      expect(await store.put({ ...contractDashboard(2), version: 2 })).toBe("changed meanwhile");
      const puts = await Promise.all(
        [store, other, store, other].map((each, at) => each.put({ ...first, version: 2, name: `by ${at}` })),
      );
      expect(puts.toSorted()).toEqual([...Array(3).fill("changed meanwhile"), "kept"]);
      expect((await store.byId("d1"))?.name).toBe(`by ${puts.indexOf("kept")}`);
    });

    it("are so many of one person, however many are put at once, and one that is there can be replaced", async () => {
      const { store, open } = await opened();
      const handles = open ? [store, await open()] : [store];
      const puts = Array.from({ length: mostDashboards + 7 }, (_, number) =>
        handles[number % handles.length]!.put(contractDashboard(number)),
      );
      expect((await Promise.all(puts)).filter((put) => put === "kept")).toHaveLength(mostDashboards);
      const [kept] = await store.visibleTo("ada");
      expect(await store.put({ ...kept!, version: 2, name: "again" })).toBe("kept");
      expect(await store.put(contractDashboard(98))).toBe("one too many");
      expect(await store.put(contractDashboard(99, "bob"))).toBe("kept");
      expect(await store.visibleTo("ada")).toHaveLength(mostDashboards);
    });
  });
}
