/** Whether `given` equals `secret`, in a time that depends on `given` alone. An empty secret never matches. */
export function isSecret(given: string, secret: string): boolean {
  const { length } = secret;
  if (!length) return false;
  const { length: count } = given;
  // XS boxes a string when a method is called on it, but not when it is only passed as `this`.
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is only called with a text for `this`
  const { charCodeAt } = String.prototype;
  let difference = count ^ length;
  for (let index = 0; index < count; index++)
    difference |= charCodeAt.call(given, index) ^ charCodeAt.call(secret, index % length);
  return difference === 0;
}
