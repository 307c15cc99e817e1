import { invalidParameter, LetheError } from "@lethe/core";
import { absent, type Principal, type Route } from "../access/index.ts";
import {
  type Dashboard,
  type DashboardChange,
  type DashboardContent,
  type DashboardStore,
  mostDashboards,
} from "../dashboards/index.ts";
import { checkPersonName, foldName, type RandomBytes } from "../people/index.ts";
import type { Gate } from "./gate.ts";

/**
 * All that may be done with dashboards, whatever the protocol. They are texts of people: no answer is in one, and to read one costs nothing. Whoever is named a reader may read a dashboard, and nobody else but its person knows that it
 * exists; whether a reader's name is anybody's is not told. Errors: serve.forbidden, serve.absent; serve.changed where another version is there than was changed; parameter.invalid for one dashboard too many; people.invalid for a reader's name that is none; log.lost.
 */
export interface DashboardsDesk {
  /** Returns the asker's own, and those that others let them read. */
  list(who: Principal): Promise<readonly Dashboard[]>;
  add(who: Principal, content: DashboardContent): Promise<Dashboard>;
  read(who: Principal, id: string): Promise<Dashboard>;
  change(who: Principal, id: string, content: DashboardChange): Promise<Dashboard>;
  remove(who: Principal, id: string): Promise<void>;
}

/** What the desk is made of. */
export interface DashboardsParts {
  readonly gate: Gate;
  readonly store: DashboardStore;
  readonly random: RandomBytes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Opens the desk over its parts. */
export function openDashboardsDesk({ gate, store, random, now }: DashboardsParts): DashboardsDesk {
  /** Returns a dashboard as far as the asker may use the route on it. */
  const found = async (
    route: Route,
    who: Principal,
    id: string,
    isTheirs: (dashboard: Dashboard) => boolean,
  ): Promise<Dashboard> => {
    // Before it is looked for: how long that takes would tell what there is.
    gate.pass(route, who, { owner: who.name });
    const dashboard = await store.byId(id);
    const owner = dashboard === null ? null : isTheirs(dashboard) ? who.name : dashboard.person;
    gate.pass(route, who, { owner });
    if (dashboard === null) throw absent();
    return dashboard;
  };
  const isOf = (who: Principal, name: string): boolean => foldName(name) === foldName(who.name);
  const own = (route: Route, who: Principal, id: string): Promise<Dashboard> =>
    found(route, who, id, ({ person }) => isOf(who, person));
  const keep = async (dashboard: Dashboard): Promise<Dashboard> => {
    for (const reader of dashboard.readers) checkPersonName(reader);
    const put = await store.put(dashboard);
    if (put === "changed meanwhile") throw changedMeanwhile();
    if (put === "one too many")
      throw invalidParameter(
        "dashboards",
        mostDashboards + 1,
        `at most ${mostDashboards} of a person: remove one first`,
      );
    return dashboard;
  };
  return {
    list: async (who) => {
      gate.pass("dashboard.list", who, null);
      return store.visibleTo(who.name);
    },
    add: async (who, content) => {
      gate.pass("dashboard.add", who, null);
      const id = Buffer.from(random(12)).toString("base64url");
      return keep({ ...content, id, person: who.name, version: 1, changedAt: now() });
    },
    read: (who, id) =>
      found(
        "dashboard.read",
        who,
        id,
        ({ person, readers }) => isOf(who, person) || readers.some((reader) => isOf(who, reader)),
      ),
    change: async (who, id, content) => {
      const { person, version } = await own("dashboard.change", who, id);
      if (content.version !== version) throw changedMeanwhile();
      return keep({ ...content, id, person, version: version + 1, changedAt: now() });
    },
    remove: async (who, id) => {
      await own("dashboard.change", who, id);
      await store.remove(id);
    },
  };
}

function changedMeanwhile(): LetheError {
  return new LetheError("serve.changed", "the dashboard was changed in another place since it was read", {
    fix: "read it again, and make the change to what is there now",
  });
}
