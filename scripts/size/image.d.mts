export function imageOf(
  board: string,
  path: string,
): {
  slots: number;
  bytes: Record<string, number>;
  firmware: number;
  page: number;
  rest: number;
  image: number;
};
