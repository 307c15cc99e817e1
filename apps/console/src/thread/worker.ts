import "./no-evaluation.ts";
import { preloadGrammar } from "@lethe/query";
import { verifyText } from "@lethe/verify";
import { followAuditLog, followLedger } from "./chains.ts";
import { changePolicy, policySchema, readPolicyText } from "./policy-texts.ts";
import { refusedBy } from "./refused-by.ts";
import type { Call, Reply, WorkName, Works } from "./works.ts";

/**
 * The part of a thread's global scope that is used here; the page's own types have no name for it.
 */
interface ThreadScope {
  onmessage: ((event: { readonly data: Call }) => void) | null;
  postMessage(reply: Reply): void;
}

type Doing = { readonly [Name in WorkName]: (given: Works[Name]["given"]) => Promise<Works[Name]["gives"]> };

const doing: Doing = {
  verify: ({ text, policyText, publicKeyPem }) =>
    verifyText(text, {
      ...(policyText === null ? {} : { policyText }),
      ...(publicKeyPem === null ? {} : { publicKeyPem }),
    }),
  readPolicy: readPolicyText,
  changePolicy: async (change) => changePolicy(change),
  policySchema: async () => policySchema(),
  followAuditLog: async (given) => followAuditLog(given),
  followLedger: async (given) => followLedger(given),
};

const scope = globalThis as unknown as ThreadScope;

/**
 * Does what the page asks, in a thread of its own: the page stays quick, and only this script may compile PostgreSQL's grammar. It asks the service for nothing else.
 */
scope.onmessage = ({ data }) => {
  const work = doing[data.name] as (given: unknown) => Promise<Works[WorkName]["gives"]>;
  work(data.given).then(
    (gives) => scope.postMessage({ id: data.id, gives }),
    (error: unknown) => scope.postMessage({ id: data.id, refused: refusedBy(error) }),
  );
};
preloadGrammar();
