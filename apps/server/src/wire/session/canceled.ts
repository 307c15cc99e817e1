/** The reason of a wait that a client called off. */
export class Canceled extends Error {
  override readonly name = "Canceled";
}
