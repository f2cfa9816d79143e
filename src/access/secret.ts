/** Whether `given` is `secret`, in a time that depends on `given` alone. An empty secret is nobody's. */
export function isSecret(given: string, secret: string): boolean {
  const { length } = secret;
  if (!length) return false;
  const { length: count } = given;
  // XS makes an object of a text whose member is called, but not of one that is only `this`.
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is only called with a text for `this`
  const { charCodeAt } = String.prototype;
  let difference = count ^ length;
  for (let index = 0; index < count; index++)
    difference |= charCodeAt.call(given, index) ^ charCodeAt.call(secret, index % length);
  return difference === 0;
}
