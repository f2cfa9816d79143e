/** Whether a stored text is what was stored: one wrong character always changes this, several almost always. `sum`: of the text before it. */
export function textSum(text: string, sum = 0): number {
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum;
}
