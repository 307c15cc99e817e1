const costs = ["1/5", "1/9", "1/14", "1/25", "1/40"];
const principals = ["owner", "ana", "ben", "eve"];

/** The caps that stay: of what ana alone can have, of a project, of a data set, and of a quarter of the year. */
const scopes = { keeps: ["ana"], projects: { p: "1/3" }, dataSets: { x: "2/5" }, window: "6/7" };

/** The account that scripts are written for: it runs out while they are played. It does not know eve. */
export const account = {
  cap: "1/1",
  shares: { ana: "1/2", ben: "1/3" },
  failureCap: 6,
  failureCapEach: 3,
  ...scopes,
};

/** The budgets that are applied meanwhile: the first one, less, with another analyst, and without one. */
const budgets = [
  account,
  { cap: "3/5", shares: { ana: "1/4", ben: "1/3" } },
  { cap: "7/5", shares: { ana: "1/2", ben: "1/3", eve: "1/9" } },
  { cap: "1/1", shares: { ben: "1/3" } },
].map(({ cap, shares }) => ({ cap, shares, ...scopes }));

/**
 * Returns the steps of one client. There are few ids, so that clients ask each other's questions again. A question follows from its id, but now and
 * then an id asks something else.
 */
export function script(random, client, steps) {
  const pick = (items) => items[Math.floor(random() * items.length)];
  const question = () => {
    const n = Math.floor(random() * steps * 1.5);
    const principal = principals[random() < 0.05 ? 3 : n % 3];
    const cost = costs[n % costs.length];
    const dearer = n % 4 === 0 ? ["1/3", cost] : [cost];
    return {
      id: `q${n}`,
      principal,
      project: n % 5 === 0 ? "p" : null,
      dataSets: n % 2 === 0 ? ["x"] : [],
      question: random() < 0.05 ? "another" : `q${n}`,
      costs: dearer,
    };
  };
  const asked = () => {
    const { id, principal } = question();
    return { id, principal };
  };
  return Array.from({ length: steps }, (_, step) => {
    const wait = Math.floor(random() * 4);
    const kind = random();
    if (kind < 0.72) {
      const then = pick(["settle", "settle", "fail", "leave"]);
      return { wait, op: "ask", ...question(), then, release: `${client}.${step}` };
    }
    if (kind < 0.76) return { wait, op: "settled", ...asked() };
    if (kind < 0.82) return { wait, op: "share", ...asked(), to: pick(principals) };
    if (kind < 0.84) return { wait, op: pick(["revoke", "reopen"]), analyst: pick(["ana", "ben"]) };
    if (kind < 0.88) return { wait, op: "remaining", principal: pick(principals) };
    if (kind < 0.94) return { wait, op: "account" };
    if (random() < 0.4) return { wait, op: "apply", ...pick(budgets) };
    return random() < 0.3 ? { wait, op: "grant", amount: "1/9" } : { wait, op: "report" };
  });
}
