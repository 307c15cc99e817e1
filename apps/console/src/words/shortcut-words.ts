/**
 * Writes a shortcut as a person reads it.
 * @example shortcutWords("KeyA") // => "Alt+Shift+A"
 */
export function shortcutWords(code: string): string {
  return `Alt+Shift+${code.replace(/^Key|^Digit/, "")}`;
}
