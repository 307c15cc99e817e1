import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Access, allowed, type Subject } from "./allowed.ts";
import type { Principal } from "./principal.ts";
import { absent, requireAccess } from "./require-access.ts";
import { type Role, roles } from "./role.ts";
import { routeKinds } from "./route-kind.ts";
import { accessTable, type RouteAccess, routes, type Tenant, tenants } from "./table.ts";

const who = (...held: Role[]): Principal => ({
  name: "ada",
  roles: held,
  projects: [],
  proof: { kind: "session", session: "s" },
});
const subjects: Readonly<Record<Tenant, Subject | null>> = {
  own: { owner: "ada" },
  other: { owner: "bob" },
  none: null,
};
const nowhere: Subject = { owner: null };
const house = { accountShown: false };

/**
 * The grants of each role, stated once more and by hand: O own, B both own and another's, W a route without an object, . nothing.
 * In the order owner, analyst, auditor, operator.
 */
const stated: Readonly<Record<string, string>> = {
  "question.ask": "WW..",
  "question.explain": "WW..",
  "tables.list": "WWW.",
  "tables.describe": "WWW.",
  "request.read": "OO..",
  "request.cancel": "OO..",
  "release.list": "WW..",
  "release.read": "BO..",
  "certificate.list": "WWW.",
  "certificate.read": "BOB.",
  "share.offer": "BO..",
  "share.take": "WW..",
  "dashboard.list": "WW..",
  "dashboard.add": "WW..",
  "dashboard.read": "OO..",
  "dashboard.change": "OO..",
  "budget.read": "BOB.",
  "account.caps": "WWW.",
  "account.spending": "W.W.",
  "ledger.read": "W.W.",
  "policy.read": "W.W.",
  "policy.change": "W...",
  "person.list": "W.W.",
  "person.add": "W...",
  "person.read": "BOBO",
  "person.change": "B...",
  "password.change": "OOOO",
  "password.set": "B...",
  "token.list": "BOOO",
  "token.create": "BOOO",
  "token.revoke": "BOOO",
  "session.list": "BOOO",
  "session.revoke": "BOOO",
  "audit-log.read": "W.W.",
  "metrics.read": "W..W",
  "status.read": "W..W",
};
const open: readonly string[] = ["health.read", "sign-in.begin"];

const isOpen = (route: string): boolean => open.includes(route);

const letters: Readonly<Record<string, readonly Tenant[]>> = {
  O: ["own"],
  B: ["own", "other"],
  W: ["none"],
  ".": [],
};

/** The answer that is expected in a cell, from the letters alone. */
function expected(route: string, role: Role, tenant: Tenant): Access {
  const line = stated[route]!;
  if (letters[line[roles.indexOf(role)]!]!.includes(tenant)) return "allowed";
  return /[OB]/.test(line) && tenant !== "none" ? "absent" : "forbidden";
}

describe("every route × role × tenant", () => {
  it("is stated: a route of the table has its line here, and no other has", () => {
    expect([...open, ...Object.keys(stated)]).toEqual(routes);
    expect(Object.keys(accessTable)).toEqual(routes);
  });

  const cells = routes
    .filter((route) => !isOpen(route))
    .flatMap((route) => roles.flatMap((role) => tenants.map((tenant) => [route, role, tenant] as const)));
  it.each(cells)("%s by an %s, object: %s", (route, role, tenant) => {
    expect(allowed(route, who(role), subjects[tenant], house)).toBe(expected(route, role, tenant));
  });

  it.each(routes)(
    "%s is for nobody without a role, and for those who are not signed in only if open",
    (route) => {
      for (const tenant of tenants) {
        const may = isOpen(route) && tenant === "none";
        expect(allowed(route, null, subjects[tenant], house) === "allowed").toBe(may);
        expect(allowed(route, who(), subjects[tenant], house) === "allowed").toBe(may);
      }
    },
  );

  it("several roles may what one of them may, and no more", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...routes),
        fc.subarray([...roles]),
        fc.constantFrom(...tenants),
        (route, held, tenant) => {
          const may = (list: readonly Role[]): boolean =>
            allowed(route, who(...list), subjects[tenant], house) === "allowed";
          expect(may(held)).toBe(isOpen(route) ? tenant === "none" : held.some((role) => may([role])));
        },
      ),
    );
  });
});

it("each route draws from a rate: what costs ε, a key or a change is not counted as reading", () => {
  const reads = routes.filter((route) => routeKinds[route] === "read");
  expect(Object.keys(routeKinds)).toEqual(routes);
  for (const route of routes.filter((each) => !reads.includes(each)))
    expect(route).toMatch(/\.(?:ask|explain|change|add|set|create|revoke|begin|offer|take)$/);
  for (const route of reads) expect(route).toMatch(/\.(?:read|list|describe|cancel|caps|spending)$/);
});

describe("what the table lacks", () => {
  it("is denied, whatever its name", () => {
    const anyRoute = fc.oneof(
      fc.string(),
      fc.constantFrom("constructor", "toString", "__proto__", "hasOwnProperty", "", "release.read "),
    );
    fc.assert(
      fc.property(anyRoute, fc.constantFrom(...tenants), (route, tenant) => {
        fc.pre(!routes.some((known) => known === route));
        for (const asker of [null, who(...roles)])
          expect(allowed(route, asker, subjects[tenant], house)).not.toBe("allowed");
      }),
    );
  });
});

describe("another's object", () => {
  const about = Object.keys(stated).filter((route) => /[OB]/.test(stated[route]!));
  it.each(about)("%s: what one may not see is answered as what does not exist", (route) => {
    for (const role of roles)
      for (const tenant of ["own", "other"] as const) {
        const answer = allowed(route, who(role), subjects[tenant], house);
        if (answer !== "allowed") expect(answer).toBe(allowed(route, who(role), nowhere, house));
        expect(allowed(route, who(role), nowhere, house)).toBe("absent");
      }
  });

  it("is refused with the same bytes as what does not exist, which name neither the object nor its owner", () => {
    const refusal = (subject: Subject): string => {
      try {
        requireAccess("release.read", who("analyst"), subject, house);
        return "";
      } catch (error) {
        return JSON.stringify(error);
      }
    };
    expect(refusal(subjects.other!)).toBe(refusal(nowhere));
    expect(refusal(nowhere)).toBe(JSON.stringify(absent()));
    expect(refusal(subjects.other!)).not.toContain("bob");
  });
});

describe("the account's spending", () => {
  it("is shown to analysts where the policy says so, and no other route changes with it", () => {
    const shown = { accountShown: true };
    for (const route of routes)
      for (const role of roles)
        for (const tenant of tenants) {
          const changes = route === "account.spending" && role === "analyst" && tenant === "none";
          const [without, withIt] = [house, shown].map((each) =>
            allowed(route, who(role), subjects[tenant], each),
          );
          expect(withIt).toBe(changes ? "allowed" : without);
        }
  });
});

describe("requireAccess", () => {
  it("has one refusal for each answer", () => {
    const code = (route: string, asker: Principal | null, subject: Subject | null): string | null => {
      try {
        requireAccess(route, asker, subject, house);
        return null;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(code("health.read", null, null)).toBe(null);
    expect(code("release.list", null, null)).toBe("serve.signed-out");
    expect(code("policy.change", who("analyst"), null)).toBe("serve.forbidden");
    expect(code("release.read", who("analyst"), subjects.other)).toBe("serve.absent");
    expect(code("release.read", who("analyst"), subjects.own)).toBe(null);
  });
});

it("docs/reference/access.md shows the table as it is", () => {
  const page = readFileSync(new URL("../../../../docs/reference/access.md", import.meta.url), "utf8");
  const cell = (entry: RouteAccess, role: Role): string => {
    if (entry.open) return "open";
    const list = entry[role] ?? [];
    if (list.length === 0) return entry.whenAccountShown?.includes(role) ? "if shown" : "–";
    return list.includes("none") ? "yes" : list.includes("other") ? "own and others'" : "own";
  };
  const lines = Object.entries(accessTable).map(
    ([route, entry]) => `| \`${route}\` | ${roles.map((role) => cell(entry, role)).join(" | ")} |`,
  );
  expect(page).toContain(lines.join("\n"));
});
