/**
 * Returns the last place from 1 on where `isAnswered`, and 0 where there is none. Places are taken one after the other, so all before an answered one are answered: it asks
 * about as many as twice the logarithm of their number.
 */
export async function lastAnswered(isAnswered: (place: number) => Promise<boolean>): Promise<number> {
  let beyond = 1;
  while (await isAnswered(beyond)) beyond *= 2;
  let last = beyond >> 1;
  while (beyond - last > 1) {
    const middle = (last + beyond) >> 1;
    if (await isAnswered(middle)) last = middle;
    else beyond = middle;
  }
  return last;
}
