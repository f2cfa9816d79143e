export function pageBytes(): number;
