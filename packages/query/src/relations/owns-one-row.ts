import { ownerOf, type Relation } from "./relation.ts";

/** Whether no unit has more than one row, whatever the data are. */
export function ownsOneRow(relation: Relation): boolean {
  switch (relation.kind) {
    case "table":
      return relation.unit.kind === "row";
    case "filter":
    case "semijoin":
    case "windowed":
    case "marked":
      return ownsOneRow(relation.of);
    case "list":
    case "union":
      return false;
    case "grouped":
      return Object.keys(relation.keys).length === 0;
    case "join": {
      const { type, left, right } = relation;
      const owners = [ownerOf(left), ownerOf(right)];
      // Read once for each key, a public table does not multiply rows that are units.
      if (owners.includes("row")) return true;
      // Both rows of a FULL JOIN stay where they do not meet; a public row meets as many as its keys allow.
      return type !== "full" && !owners.includes("public") && ownsOneRow(left) && ownsOneRow(right);
    }
  }
}
