/** The beginning of a hash; the whole of it where one points at it. */
export function HashWords({ of }: { readonly of: string }) {
  return <code title={of}>{of.slice(0, 12)}…</code>;
}
