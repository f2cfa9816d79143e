/** Whether `given` is `secret`, in a time that depends on `given` alone. An empty secret is nobody's. */
export function isSecret(given: string, secret: string): boolean {
  const { length } = secret;
  if (!length) return false;
  let difference = given.length ^ length;
  for (let index = 0; index < given.length; index++)
    difference |= given.charCodeAt(index) ^ secret.charCodeAt(index % length);
  return difference === 0;
}
