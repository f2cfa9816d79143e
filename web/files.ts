/** Offers a file for download. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // Revoked later: the browser may still be reading it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
