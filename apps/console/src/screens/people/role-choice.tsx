import type { Role } from "../../session/me.ts";
import { everyRole, roleWords } from "./person.ts";

interface RoleChoiceProps {
  readonly legend: string;
  readonly of?: readonly Role[];
  readonly chosen: readonly Role[];
  readonly onChange: (chosen: readonly Role[]) => void;
}

/** Lets one choose among roles, each with what it may do. */
export function RoleChoice({ legend, of = everyRole, chosen, onChange }: RoleChoiceProps) {
  const change = (role: Role, isIn: boolean): void =>
    onChange(of.filter((each) => (each === role ? isIn : chosen.includes(each))));
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {of.map((role) => (
        <label key={role}>
          <input
            type="checkbox"
            checked={chosen.includes(role)}
            onChange={({ currentTarget }) => change(role, currentTarget.checked)}
          />{" "}
          {role} <span class="quiet">{roleWords[role]}</span>
        </label>
      ))}
    </fieldset>
  );
}
