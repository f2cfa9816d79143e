export const BUDGET: Readonly<Record<string, number>>;
