/**
 * The token of an Authorization header; null where there is none or it is of another kind. The scheme's case does not matter (RFC 9110, 11.1).
 * @example bearer("Bearer lethe_…") // => "lethe_…"
 */
export function bearer(header: string | null | undefined): string | null {
  return /^bearer +([^\s]+)$/i.exec(header ?? "")?.[1] ?? null;
}
