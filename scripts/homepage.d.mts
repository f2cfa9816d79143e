interface Product {
  readonly name: string;
  readonly repository: { readonly url: string };
}
export function homepageOf(product: Product): string | undefined;
export function withAddress(text: string, product: Product): string;
