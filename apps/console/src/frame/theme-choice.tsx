import { useState } from "preact/hooks";
import { chooseTheme, storedTheme, type Theme, themes } from "./theme.ts";

/** Lets the visitor choose between light and dark. */
export function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const choose = (chosen: Theme): void => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <label class="theme">
      <span>Theme</span>
      <select
        value={theme}
        onChange={({ currentTarget }) => choose(themes[currentTarget.selectedIndex] ?? "system")}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
