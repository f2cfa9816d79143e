/** XS adds a second argument: true freezes deeply, so that a preloaded table stays in flash. Other engines ignore it. */
interface ObjectConstructor {
  freeze<T>(object: T, deep: boolean): Readonly<T>;
}
