import type { AppHouse } from "../../../testing/app-house.ts";

/** All that requests may change, but for the audit log: the ledger's head, people, their tokens and sessions, dashboards, and the policy. */
export async function stateOf({ send, ledger, people }: AppHouse): Promise<string> {
  const told = async (path: string, as: "owner" | "analyst" | "bob"): Promise<unknown> =>
    JSON.parse(await (await send(path, { as })).text());
  const sessions = async (name: string): Promise<unknown> => {
    const { items } = (await told(`/v1/sessions?of=${name}`, "owner")) as { items: { id: string }[] };
    return items.map(({ id }) => id).sort();
  };
  return JSON.stringify(
    {
      head: (await ledger.records(null, 1)).records,
      people: await people.store.list(),
      dashboards: [await told("/v1/dashboards", "owner"), await told("/v1/dashboards", "analyst")],
      sessions: [await sessions("ada"), await sessions("bob"), await sessions("olga")],
      policy: await told("/v1/policy", "owner"),
    },
    (_, value) => (typeof value === "bigint" ? String(value) : value),
    1,
  );
}
