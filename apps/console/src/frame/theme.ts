/** The themes of the page: the system's unless the visitor chose one. */
export const themes = ["system", "light", "dark"] as const;

export type Theme = (typeof themes)[number];

const key = "lethe.theme";

/** Returns the theme that was chosen in this browser. */
export function storedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? "system";
  } catch {
    // A browser that keeps nothing lets nothing be read.
    return "system";
  }
}

/** Shows the page in a theme. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

/** Shows the page in a theme, and keeps the choice in this browser. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The choice holds for this visit.
  }
}
