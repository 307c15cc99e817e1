import type { AuditEntry } from "@lethe/serve/audit-chain";
import { expect, test } from "vitest";
import { factWords } from "./fact-words.ts";

type Fact = AuditEntry["fact"];
const hash = "ab".repeat(32);
const asked: Fact = { kind: "asked", request: "q-1", question: hash, ledger: 7, outcome: "charged" };
const denied: Fact = { kind: "denied", route: "policy.read", code: "serve.forbidden" };

test.each<[Fact, string]>([
  [asked, "asked as q-1: charged, record 7 of the ledger; the text's SHA-256 begins with abababababab"],
  [
    { ...asked, request: null, ledger: null, outcome: "query.syntax" },
    "asked a question: query.syntax; the text's SHA-256 begins with abababababab",
  ],
  [denied, "was denied policy.read: serve.forbidden"],
  [{ ...denied, route: null }, "was denied a request: serve.forbidden"],
  [
    { kind: "counted", fact: denied, more: 3, since: 0 },
    "3 more within ten minutes: was denied policy.read: serve.forbidden",
  ],
  [
    { kind: "read", route: "release.read", person: "ada", request: "q-1" },
    "looked at release of ada, request q-1",
  ],
  [{ kind: "read", route: "audit-log.read", person: null, request: null }, "looked at audit-log"],
  [
    { kind: "person-changed", person: "bob", change: "roles", roles: ["analyst", "auditor"] },
    "changed bob: roles (analyst, auditor)",
  ],
  [{ kind: "sign-in-refused", person: null, code: "serve.sign-in" }, "was refused at sign-in: serve.sign-in"],
  [{ kind: "policy-changed", from: hash, to: hash }, "changed the policy from abababababab to abababababab"],
  [{ kind: "constructor" } as unknown as Fact, '{"kind":"constructor"}'],
])("%j is said", (fact, words) => {
  expect(factWords(fact)).toBe(words);
});
