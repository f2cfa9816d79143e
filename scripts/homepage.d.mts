interface Product {
  readonly homepage?: string;
}
export function addressOf(remote: string): string | undefined;
export function homepageOf(product: Product): string | undefined;
export function withAddress<P extends object>(
  product: P,
  address: string,
): P & { repository: { type: string; url: string }; homepage: string; bugs: string };
