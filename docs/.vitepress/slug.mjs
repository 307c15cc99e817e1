/**
 * The anchor of a heading, as GitHub makes it where the pages lie: small letters, a dash for each space, and no other marks. The site makes the same, so that a link to a heading leads there in both.
 * @example slugOf("5. Copy it, where patients have many rows") // => "5-copy-it-where-patients-have-many-rows"
 */
export function slugOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}
