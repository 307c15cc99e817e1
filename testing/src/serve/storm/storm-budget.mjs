/*
 * The budget of a storm: an account with a window, analysts with caps, windows and a reserved part, a project with caps of its own, a data set. Everything is in quarters of ε, so that sums are whole numbers.
 */

/** Returns the caps in quarters of ε, for so many questions that are asked for the first time. */
export function stormBudget(fresh) {
  const all = Math.max(160, Math.floor(fresh));
  const part = (share) => Math.max(4, Math.floor(all * share));
  return {
    account: { ever: all, day: part(0.4) },
    dataSet: { ever: part(0.95) },
    analysts: {
      ann: { ever: part(0.1) },
      ben: { ever: part(0.15), day: part(0.06), reserved: true },
      cyd: { ever: part(0.5), day: part(0.12) },
      dee: { ever: part(0.5) },
      eli: { ever: part(0.3), month: part(0.2) },
    },
    project: {
      ever: part(0.2),
      day: part(0.1),
      analysts: { cyd: { ever: part(0.05) }, dee: { ever: part(0.3) } },
    },
  };
}

const epsilon = (quarters) => `${quarters}/4`;
const windowsOf = (caps) => {
  const windows = ["day", "month"]
    .filter((per) => per in caps)
    .map((per) => `{ per: ${per}, epsilon: ${JSON.stringify(epsilon(caps[per]))} }`);
  return windows.length === 0 ? "" : `, windows: [${windows.join(", ")}]`;
};
const scope = (caps, more = "") =>
  `{ epsilon: ${JSON.stringify(epsilon(caps.ever))}${caps.reserved ? ", reserved: true" : ""}${windowsOf(caps)}${more} }`;
const each = (scopes) => Object.entries(scopes).map(([name, caps]) => `${name}: ${scope(caps)}`);

/** Returns the budget as the policy states it. */
export function budgetText({ account, dataSet, analysts, project }) {
  const members = `, analysts: { ${each(project.analysts).join(", ")} }`;
  return [
    "budget:",
    "  measure: pure",
    `  epsilon: ${JSON.stringify(epsilon(account.ever))}`,
    `  windows: [{ per: day, epsilon: ${JSON.stringify(epsilon(account.day))} }]`,
    `  analysts: { ${each(analysts).join(", ")} }`,
    `  projects: { work: ${scope(project, members)} }`,
    `  datasets: { all: ${scope(dataSet).replace("{ ", "{ tables: [people], ")} }`,
    "",
  ].join("\n");
}
