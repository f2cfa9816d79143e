export function foldConstants(code: string, map?: string): Promise<{ code: string; map: string }>;
