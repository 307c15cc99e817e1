/**
 * Writes a moment to the minute.
 * @example timeWords("2026-11-28T04:36:05.402Z") // => "2026-11-28 04:36 UTC"
 */
export function timeWords(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}
