export function removeStaleObjects(output: string, root: string): number;
