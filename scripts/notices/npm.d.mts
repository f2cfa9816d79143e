export interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}
export function packagesOfPage(): Promise<Package[]>;
export function packagesOfFlashPage(): Package[];
