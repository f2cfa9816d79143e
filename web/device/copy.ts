/** Copies `text`, which the element `id` shows. */
export async function copyText(text: string, id: string): Promise<void> {
  // Exists only in a secure context, and may be forbidden there.
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (copied) return;
  // The deprecated `execCommand` is the only other way; if it fails as well, the text is selected for copying by hand.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const element = document.getElementById(id);
  if (!element) return;
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
  document.execCommand("copy");
}
