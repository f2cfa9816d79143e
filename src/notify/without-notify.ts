/** In place of open-notify.ts on a board without notifications. */
export function discardMessages(): void {
  // There are none.
}

export const openNotify = (): undefined => undefined;
