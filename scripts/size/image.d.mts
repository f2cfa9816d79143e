export function imageOf(
  board: string,
  path: string,
): {
  slots: number;
  causes: Map<string, Found>;
  bytes: Record<string, number>;
  firmware: number;
  page: number;
  rest: number;
  image: number;
};
