import type { Plan } from "@lethe/query";

/** 1 row, 2 rows. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** " in a group" where there are groups. */
export function inGroup({ keys }: Plan): string {
  return keys.program.kind === "none" ? "" : " in a group";
}
